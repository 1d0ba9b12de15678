// Commits: their bytes, their messages and trailers, and the names in them.

import { ObjectCorrupt } from './errors.js'
import type { Oid } from './oid.js'

export interface Identity {
  name: string
  email: string
  /** Seconds since the epoch. */
  time: number
  /** Default `+0000`. */
  offset?: string
}

export interface Commit {
  tree: Oid
  parents: Oid[]
  author: Identity
  committer: Identity
  message: string
  /** Whether it carries a signature, good or bad, by anyone. */
  isSigned?: true
}

const MAX_NAME_CHARACTERS = 200
const MAX_LINE_CHARACTERS = 4096
/** The service's own message names up to 500 commits; messages in a clone can be longer. */
const MAX_MESSAGE_START_BYTES = 48 * 1024
const MAX_MESSAGE_END_BYTES = 16 * 1024

export function encodeCommit(commit: Commit): Buffer {
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${formatIdentity(commit.author)}`,
    `committer ${formatIdentity(commit.committer)}`,
    '',
    commit.message,
  ]
  return Buffer.from(lines.join('\n'), 'utf8')
}

/**
 * Parses a commit. Accepts what real histories hold: signatures, encodings, odd identities. Throws ObjectCorrupt if the tree is
 * missing, or a tree or parent is not an oid.
 */
export function parseCommit(bytes: Buffer): Commit {
  const end = bytes.indexOf('\n\n')
  const header = bytes.subarray(0, end < 0 ? bytes.length : end)
  const bytesOfHeader = header.toString('latin1')
  const encoding = /^encoding (.*)$/m.exec(bytesOfHeader)?.[1]
  const fields = new Map<string, string>()
  const parents: Oid[] = []
  for (const line of bytesOfHeader.split('\n')) {
    const space = line.indexOf(' ')
    // A line that starts with a space continues a signature.
    if (space <= 0) continue
    const name = line.slice(0, space)
    // Parents come directly after the tree: git takes no other line for one.
    if (name === 'parent' && fields.size === 1 && fields.has('tree')) parents.push(checkOid(line.slice(space + 1)))
    else if (!fields.has(name)) fields.set(name, line.slice(space + 1))
  }
  const identityIn = (name: string) => parseIdentity(decode(Buffer.from(fields.get(name) ?? '', 'latin1'), encoding))
  return {
    tree: checkOid(fields.get('tree')),
    parents,
    author: identityIn('author'),
    committer: identityIn('committer'),
    message: end < 0 ? '' : decodeMessage(bytes.subarray(end + 2), encoding),
    ...(fields.has('gpgsig') && { isSigned: true as const }),
  }
}

/** Decodes a message. Of a too long one it keeps the start, and the end with the trailers. */
export function decodeMessage(bytes: Buffer, encoding: string | undefined): string {
  const left = bytes.length - MAX_MESSAGE_START_BYTES - MAX_MESSAGE_END_BYTES
  if (left <= 0) return decode(bytes, encoding)
  const start = decode(bytes.subarray(0, MAX_MESSAGE_START_BYTES), encoding)
  const end = decode(bytes.subarray(-MAX_MESSAGE_END_BYTES), encoding)
  return `${start}\n\n[${left} bytes of this message are left out]\n\n${end}`
}

/**
 * Formats a message as git's own tools do: subject, body and trailers, separated by blank lines. No field can forge
 * another; a trailer with a blank value is left out.
 */
export function formatMessage(
  subject: string,
  body: string | undefined,
  trailers: readonly (readonly [name: string, value: string])[],
): string {
  const paragraphs = [cleanLine(subject) || 'Change']
  const lines = trailers.map(([name, value]) => [name, cleanLine(value)]).filter(([, value]) => value !== '')
  const text = cleanText(body ?? '')
  // git looks for trailers in the last paragraph: if ours do not follow, lines that look like trailers are indented.
  if (text !== '') paragraphs.push(lines.length > 0 ? text : text.replace(/^(?=[A-Za-z][\w-]*\s*:)/gm, ' '))
  if (lines.length > 0) paragraphs.push(lines.map((line) => line.join(': ')).join('\n'))
  return `${paragraphs.join('\n\n')}\n`
}

export interface ParsedMessage {
  subject: string
  body: string
  /** By name; of several trailers with one name the last value. */
  trailers: Record<string, string>
}

/** Parses a message. The last paragraph holds trailers if every line of it is one (git-interpret-trailers). */
export function parseMessage(message: string): ParsedMessage {
  const paragraphs = message
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n{2,}/)
  const subject = (paragraphs.shift() ?? '').split('\n').join(' ')
  const trailers: Record<string, string> = Object.create(null)
  const last = paragraphs.at(-1)
  const lines = last?.split('\n').map((line) => /^([A-Za-z][A-Za-z0-9-]*):(?: (.*))?$/.exec(line))
  if (lines?.every((line) => line !== null) === true) {
    for (const line of lines) trailers[line?.[1] ?? ''] = line?.[2] ?? ''
    paragraphs.pop()
  }
  return { subject, body: paragraphs.join('\n\n'), trailers }
}

/** Returns a person's name for a commit header: one line, no characters with a meaning for git, never empty. */
export function cleanIdentityName(text: string): string {
  const plain = cutName(cleanLine(text).replace(/[<>]/g, ''))
  // git itself strips these from both ends, and refuses an empty rest.
  const name = plain.replace(/^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g, '')
  return name === '' ? 'Unnamed' : name
}

/** Returns one line of text. The space that begins a trailer's value is not part of it. */
function cleanLine(text: string): string {
  return text
    .slice(0, MAX_LINE_CHARACTERS)
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
}

/** Keeps lines and tabs; every other control character (git refuses NUL) becomes a space. */
function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, ' ')
    .trim()
}

function formatIdentity({ name, email, time, offset = '+0000' }: Identity): string {
  return `${cleanIdentityName(name)} <${email.replace(/[\s<>\p{Cc}]/gu, '')}> ${Math.max(0, Math.trunc(time))} ${offset}`
}

export function parseIdentity(text: string): Identity {
  const [, name = '', email = '', time = '0', offset = '+0000'] =
    /^(.*?) ?<([^>]*)>(?: *(-?\d+)(?: +([+-]\d+))?)?.*$/s.exec(text) ?? ['', text]
  return { name: cutName(name), email, time: Number(time), offset }
}

/** Cuts a name: a pushed one can have any length. */
function cutName(name: string): string {
  return name.length <= MAX_NAME_CHARACTERS ? name : Array.from(name).slice(0, MAX_NAME_CHARACTERS).join('')
}

function checkOid(text: string | undefined): Oid {
  if (text === undefined) throw new ObjectCorrupt('a commit', 'it names no tree')
  if (!/^[0-9a-f]{40}$/.test(text))
    throw new ObjectCorrupt('a commit', 'it names a tree or a parent that is not an object id')
  return text
}

/** Decodes words of a commit; as UTF-8 without a label that is known (encoding.spec.whatwg.org). */
function decode(bytes: Buffer, label: string | undefined): string {
  const decoder = label === undefined ? undefined : decoderOf(label)
  return decoder?.decode(bytes) ?? bytes.toString('utf8')
}

/** Returns undefined also for UTF-16: git takes the lines of a commit for ASCII. */
function decoderOf(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    const decoder = new TextDecoder(/^latin-?1$/i.test(label.trim()) ? 'latin1' : label, { ignoreBOM: true })
    return decoder.encoding.startsWith('utf-16') ? undefined : decoder
  } catch {
    return undefined
  }
}
