// Parses requests to `git-upload-pack`. They are short, so they are read whole, and checked against the protocol.
// Only lines that are known here are passed on to git.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { ServiceError } from '../../model/errors.js'
import type { Oid } from '../../git/objects/oid.js'
import {
  DELIMITER_PKT,
  FLUSH_PKT,
  MalformedPktLine,
  type PktLine,
  PktLineReader,
  pktLine,
  textOf,
} from '../../git/wire/pkt-lines.js'
import type { ListWishes } from './advertisement.js'

const MAX_PREFIXES = 1000
/** Number of items per turn of the event loop; each takes some microseconds. */
const ITEMS_OF_A_TURN = 1000

/** The id of no object: it cannot be made. */
const NO_OBJECT: Oid = `${'0'.repeat(39)}1`

/** Reads all lines of the body, at most `maxLines`. Throws `invalid_body`, `payload_too_large`, and errors of the body. */
export async function readLines(body: AsyncIterable<Buffer>, maxLines: number): Promise<PktLine[]> {
  const reader = new PktLineReader(body)
  const lines: PktLine[] = []
  try {
    for (let line = await reader.next(); line !== undefined; line = await reader.next()) {
      if (lines.push(line) > maxLines) throw new ServiceError('payload_too_large', 'The request has too many lines.')
    }
  } catch (error) {
    throw error instanceof MalformedPktLine ? malformed(error.message) : error
  }
  return lines
}

/** Parses a command of protocol 2 and its arguments. Throws `invalid_body`. */
export function parseCommand(lines: readonly PktLine[]): { command: string; args: readonly PktLine[] } {
  const [first, ...others] = lines
  if (!Buffer.isBuffer(first)) throw malformed('it names no command')
  const delimiter = others.indexOf('delimiter')
  for (const line of delimiter < 0 ? others : others.slice(0, delimiter))
    if (Buffer.isBuffer(line) && !/^(?:agent|session-id)=|^object-format=sha1$/.test(textOf(line)))
      throw unexpected(textOf(line))
  if (delimiter >= 0 && others.indexOf('flush') !== others.length - 1) throw malformed('it has no end')
  return { command: textOf(first), args: delimiter < 0 ? [] : others.slice(delimiter + 1, -1) }
}

/** Parses the arguments of `ls-refs`. Throws `invalid_body`. */
export function parseListWishes(lines: readonly PktLine[]): ListWishes {
  if (lines.length > MAX_PREFIXES) throw malformed(`ls-refs takes at most ${MAX_PREFIXES} arguments`)
  const args = lines.map((line) => (Buffer.isBuffer(line) ? textOf(line) : ''))
  const wrong = args.find((arg) => !/^(?:peel|symrefs|unborn|ref-prefix .*)$/.test(arg))
  if (wrong !== undefined) throw unexpected(wrong)
  const prefixes = args.filter((arg) => arg.startsWith('ref-prefix ')).map((arg) => arg.slice('ref-prefix '.length))
  return { peel: args.includes('peel'), symrefs: args.includes('symrefs'), prefixes }
}

/** The objects that a fetch names. Nothing is passed on to git before it is checked. */
export interface FetchRequest {
  lines: readonly PktLine[]
  wants: readonly Oid[]
  haves: readonly Oid[]
  /** Commits without their parents on the client's side. */
  shallows: readonly Oid[]
  /** The names of refs whose history the client does not want. */
  excludes: readonly string[]
  /** The haves and shallow commits, each by its line. */
  claims: ReadonlyMap<PktLine, Oid>
}

const OF_VERSION_2 =
  /^(?:command=fetch|agent=.*|session-id=.*|object-format=sha1|(?:want|have|shallow) [0-9a-f]{40}|done|thin-pack|no-progress|include-tag|ofs-delta|deepen \d+|deepen-relative|deepen-since \d+|deepen-not \S+|wait-for-done|filter (?:blob:none|blob:limit=\d+[kmg]?|tree:\d+))$/
const OF_VERSION_0 =
  /^(?:want [0-9a-f]{40}(?: .*)?|(?:have|shallow) [0-9a-f]{40}|done|deepen \d+|deepen-since \d+|deepen-not \S+)$/

const EXCLUDE = 'deepen-not '

/** Parses a fetch. Throws `invalid_body` for a line that was not offered. */
export async function parseFetch(lines: readonly PktLine[], version: 0 | 1 | 2): Promise<FetchRequest> {
  const known = version === 2 ? OF_VERSION_2 : OF_VERSION_0
  const found: Record<'want' | 'have' | 'shallow', Oid[]> = { want: [], have: [], shallow: [] }
  const excludes: string[] = []
  const claims = new Map<PktLine, Oid>()
  await eachInTurns(lines, (line) => {
    if (!Buffer.isBuffer(line)) return
    const text = textOf(line)
    if (!known.test(text)) throw unexpected(text)
    if (text.startsWith(EXCLUDE)) excludes.push(text.slice(EXCLUDE.length))
    const [, kind, oid = ''] = /^(want|have|shallow) (.{40})/.exec(text) ?? []
    if (kind === undefined) return
    found[kind as keyof typeof found].push(oid)
    if (kind !== 'want') claims.set(line, oid)
  })
  return { lines, wants: found.want, haves: found.have, shallows: found.shallow, excludes, claims }
}

/**
 * Returns the request for git without the haves and shallow commits that are not `known`. git then answers as if the repository did
 * not have them. In protocol 2 a request with haves is a question, and stays one.
 */
export async function withKnown(
  { lines, haves, claims }: FetchRequest,
  version: 0 | 1 | 2,
  known: ReadonlySet<Oid>,
): Promise<Buffer> {
  const parts: Buffer[] = []
  const isQuestion = version === 2 && haves.length > 0 && !haves.some((oid) => known.has(oid))
  await eachInTurns(lines, (line, at) => {
    const oid = claims.get(line)
    if (isQuestion && at === lines.length - 1) parts.push(pktLine(`have ${NO_OBJECT}\n`))
    if (oid === undefined || known.has(oid)) parts.push(encode(line))
  })
  return Buffer.concat(parts)
}

/** Lets other requests run in between: a checkout of a partial clone names as many objects as it has files. */
async function eachInTurns<T>(items: readonly T[], work: (item: T, at: number) => void): Promise<void> {
  for (const [at, item] of items.entries()) {
    if (at % ITEMS_OF_A_TURN === ITEMS_OF_A_TURN - 1) await nextTurn()
    work(item, at)
  }
}

function encode(line: PktLine): Buffer {
  if (Buffer.isBuffer(line)) return pktLine(line)
  return line === 'delimiter' ? DELIMITER_PKT : FLUSH_PKT
}

function unexpected(line: string): ServiceError {
  return malformed(`the server does not support ${JSON.stringify(line.slice(0, 60))}`)
}

function malformed(reason: string): ServiceError {
  return new ServiceError('invalid_body', `This is not a valid git request: ${reason}.`)
}
