// What a service of git says of itself and of the repository before it is asked for anything, made from memory: main and tags,
// and nothing else (design §8).

import { FLUSH_PKT, pktLine, pktLines } from '../git/wire/pkt-lines.js'
import { PUSH_CAPABILITIES } from '../git/wire/push-report.js'
import { MAIN } from '../store/format/main-ref.js'
import type { AdvertisedRefs } from '../store/protocol/repository.js'
import type { GitRequest } from './git-request.js'

/** The same to every client: it says nothing of the machine. */
const AGENT = 'agent=palimpsest'
const FORMAT = 'object-format=sha1'

/** Of protocols 0 and 1 (gitprotocol-capabilities). A `want` is checked before git is asked, so ancestors of main may be named. */
const UPLOAD_PACK = [
  'multi_ack multi_ack_detailed no-done thin-pack side-band side-band-64k ofs-delta no-progress include-tag',
  'shallow deepen-since deepen-not deepen-relative allow-tip-sha1-in-want allow-reachable-sha1-in-want',
  `symref=HEAD:${MAIN} ${FORMAT} ${AGENT}`,
].join(' ')

const RECEIVE_PACK = `${PUSH_CAPABILITIES} ${FORMAT} ${AGENT}`

/** Of protocol 2 (gitprotocol-v2). */
const VERSION_2 = ['version 2', AGENT, 'ls-refs=unborn', 'fetch=shallow wait-for-done filter', FORMAT]

/** The answer to `info/refs`. A push speaks protocol 0 or 1, whatever the client offers; in protocol 2 nobody asks for refs here. */
export function advertisement(refs: () => AdvertisedRefs, { service, version }: GitRequest): Buffer {
  const lines = [pktLine(`# service=${service}\n`), FLUSH_PKT]
  if (version === 2 && service === 'git-upload-pack') {
    lines.push(pktLines(VERSION_2.map((line) => `${line}\n`)))
  } else {
    if (version === 1) lines.push(pktLine('version 1\n'))
    lines.push(pktLines(service === 'git-upload-pack' ? refsToFetch(refs()) : refsToPush(refs())))
  }
  return Buffer.concat([...lines, FLUSH_PKT])
}

function refsToFetch({ main, tags }: AdvertisedRefs): string[] {
  const peeled = tags.flatMap(({ name, oid, peeled: target }) => [
    `${oid} ${name}\n`,
    ...(target === undefined ? [] : [`${target} ${name}^{}\n`]),
  ])
  return [`${main} HEAD\0${UPLOAD_PACK}\n`, `${main} ${MAIN}\n`, ...peeled]
}

function refsToPush({ main, tags }: AdvertisedRefs): string[] {
  return [`${main} ${MAIN}\0${RECEIVE_PACK}\n`, ...tags.map(({ name, oid }) => `${oid} ${name}\n`)]
}

/** Where more are named, all refs are listed, as gitprotocol-v2 allows: each ref is held against each of them. */
const MAX_PREFIXES = 32

/** What `ls-refs` of protocol 2 is asked for. */
export interface ListWishes {
  peel: boolean
  symrefs: boolean
  /** Full names of refs, or the beginnings of them; all refs where there are none. */
  prefixes: readonly string[]
}

/** The answer to `ls-refs` (gitprotocol-v2). Main is always there, so nothing is unborn. */
export function listRefs({ main, tags }: AdvertisedRefs, { peel, symrefs, prefixes }: ListWishes): Buffer {
  const isAll = prefixes.length === 0 || prefixes.length > MAX_PREFIXES
  const isWished = (name: string) => isAll || prefixes.some((prefix) => name.startsWith(prefix))
  const lines: string[] = []
  if (isWished('HEAD')) lines.push(`${main} HEAD${symrefs ? ` symref-target:${MAIN}` : ''}\n`)
  if (isWished(MAIN)) lines.push(`${main} ${MAIN}\n`)
  for (const { name, oid, peeled } of tags)
    if (isWished(name)) lines.push(`${oid} ${name}${peel && peeled !== undefined ? ` peeled:${peeled}` : ''}\n`)
  return Buffer.concat([pktLines(lines), FLUSH_PKT])
}
