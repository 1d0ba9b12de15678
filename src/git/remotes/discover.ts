// Asks a remote for its refs and capabilities (gitprotocol-http, "Discovering References"; gitprotocol-v2, "Capability Advertisement").

import type { IncomingMessage } from 'node:http'
import type { Oid } from '../objects/oid.js'
import {
  DELIMITER_PKT,
  FLUSH_PKT,
  MalformedPktLine,
  type PktLine,
  pktLine,
  PktLineReader,
  textOf,
} from '../wire/pkt-lines.js'
import { RemoteFailed } from './remote-failed.js'
import type { Remote, RemoteRequest } from './remote.js'

export interface Discovered {
  protocol: 0 | 2
  /** `agent=git/2.39` is also listed as `agent`. */
  capabilities: ReadonlySet<string>
  /** By name; empty in protocol 2, in which refs are listed only on request. */
  refs: ReadonlyMap<string, Oid>
}

export type GitService = 'git-upload-pack' | 'git-receive-pack'

export const AGENT = 'agent=palimpsest'
const VERSION_2 = { 'git-protocol': 'version=2' }
/** A longer list of refs is refused. */
const MAX_LIST_BYTES = 32 * 1024 * 1024
const REF = /^([0-9a-f]{40,64}) ([^\0\n]+)$/
const SHA1_LENGTH = 40

/** Asks a remote for its refs and capabilities. Rejects with RemoteFailed. */
export async function discover(remote: Remote, service: GitService): Promise<Discovered> {
  // Protocol 2 does not exist for pushes.
  const fields = service === 'git-upload-pack' ? VERSION_2 : {}
  const answer = await remote.request({ method: 'GET', path: `info/refs?service=${service}`, fields })
  if (answer.headers['content-type'] !== `application/x-${service}-advertisement`) {
    answer.destroy()
    throw new RemoteFailed('The answer at that URL is not that of a git repository (smart HTTP).')
  }
  return parseAdvertisement(await readLines(remote, answer))
}

/** Lists the refs with these names on a remote that speaks protocol 2. Rejects with RemoteFailed. */
export async function listRefs(remote: Remote, names: readonly string[]): Promise<Map<string, Oid>> {
  const prefixes = names.map((name) => pktLine(`ref-prefix ${name}\n`))
  const answer = await postFetch(remote, 2, Buffer.concat([...commandLines('ls-refs'), ...prefixes, FLUSH_PKT]))
  const listed = refsIn((await readLines(remote, answer)).map(textOf))
  return new Map([...listed].filter(([name]) => names.includes(name)))
}

/** Sends a fetch request and resolves with its answer. Rejects with RemoteFailed. */
export async function postFetch(remote: Remote, protocol: 0 | 2, body: Buffer): Promise<IncomingMessage> {
  return await post(remote, 'git-upload-pack', body, protocol === 2 ? VERSION_2 : {})
}

/** Sends a push and resolves with its answer. Rejects with RemoteFailed, and with errors of the body. */
export async function postPush(remote: Remote, body: AsyncIterable<Buffer>): Promise<IncomingMessage> {
  return await post(remote, 'git-receive-pack', body, {})
}

async function post(
  remote: Remote,
  service: GitService,
  body: NonNullable<RemoteRequest['body']>,
  version: Partial<typeof VERSION_2>,
): Promise<IncomingMessage> {
  const types = { 'content-type': `application/x-${service}-request`, accept: `application/x-${service}-result` }
  return await remote.request({ method: 'POST', path: service, fields: { ...types, ...version }, body })
}

/** Returns the beginning of a request in protocol 2; its arguments follow. */
export function commandLines(command: string): Buffer[] {
  return [pktLine(`command=${command}\n`), pktLine(`${AGENT}\n`), DELIMITER_PKT]
}

/** Reads a line of an answer; undefined at its end. Rejects with RemoteFailed, in the remote's words if it reports an error. */
export async function nextLine(remote: Remote, lines: PktLineReader): Promise<PktLine | undefined> {
  try {
    const line = await lines.next()
    if (!Buffer.isBuffer(line) || !line.subarray(0, 4).equals(Buffer.from('ERR '))) return line
    throw new RemoteFailed(remote.words(textOf(line).slice(4)))
  } catch (error) {
    if (error instanceof MalformedPktLine)
      throw new RemoteFailed('The answer is cut short, or not that of a git repository.')
    throw remote.failureOf(error)
  }
}

async function readLines(remote: Remote, answer: IncomingMessage): Promise<Buffer[]> {
  const reader = new PktLineReader(answer as AsyncIterable<Buffer>)
  const lines: Buffer[] = []
  let bytes = 0
  for (;;) {
    const line = await nextLine(remote, reader)
    if (line === undefined) return lines
    if (!Buffer.isBuffer(line)) continue
    bytes += line.length
    if (bytes > MAX_LIST_BYTES) {
      answer.destroy()
      throw new RemoteFailed('The repository has too many branches and tags to be listed.')
    }
    lines.push(Buffer.from(line))
  }
}

function parseAdvertisement(all: readonly Buffer[]): Discovered {
  const texts = all.map(textOf).filter((text) => !text.startsWith('# service=') && text !== 'version 1')
  if (texts[0] === 'version 2') return { protocol: 2, capabilities: capabilitiesIn(texts.slice(1)), refs: new Map() }
  const [first = '', listed = ''] = (texts[0] ?? '').split('\0')
  if (texts.some((text) => text.startsWith('shallow '))) throw shallow()
  return { protocol: 0, capabilities: capabilitiesIn(listed.split(' ')), refs: refsIn([first, ...texts.slice(1)]) }
}

export function shallow(): RemoteFailed {
  return new RemoteFailed('The remote is a shallow clone: a part of its history is missing.')
}

/** Throws RemoteFailed if the repository does not use SHA-1. */
function capabilitiesIn(words: readonly string[]): Set<string> {
  if (words.some((word) => word.startsWith('object-format=') && word !== 'object-format=sha1')) throw notSha1()
  return new Set(words.flatMap((word) => [word, word.replace(/=.*/s, '')]))
}

function refsIn(lines: readonly string[]): Map<string, Oid> {
  const refs = new Map<string, Oid>()
  for (const line of lines) {
    const [, oid = '', name = ''] = REF.exec(line.replace(/ (?:symref-target|peeled):\S+/g, '')) ?? []
    if (oid === '') continue
    if (oid.length !== SHA1_LENGTH) throw notSha1()
    if (!/^0+$/.test(oid)) refs.set(name, oid)
  }
  return refs
}

function notSha1(): RemoteFailed {
  return new RemoteFailed('The remote is a SHA-256 repository; only SHA-1 ones can be sites.')
}
