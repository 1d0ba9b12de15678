// Words an answer in few words, within its bound: enough to continue working. Names and titles stand last in their line and between quotes;
// long texts of others stand between marks.

import { cutToBytes, partOf } from '../../../model/text-parts.js'
import type { ToolDefinition } from '../tools/tool-definition.js'
import { RAISE_THE_BOUND } from './bound.js'
import {
  batchText,
  checksText,
  commitText,
  doneWarningLines,
  editsText,
  undoText,
  type Warning,
  warningLines,
} from './change-text.js'
import { type LongText, withLongText } from './long-text.js'
import { reasonText } from './message-text.js'
import {
  commentText,
  publishedRequestText,
  requestText,
  updatedRequestText,
  writtenRequestLines,
} from './request-text.js'
import { json, quoted, word } from './untrusted-text.js'

type Fields = Record<string, unknown>

const LINES: Readonly<Record<ToolDefinition['shows'], (fields: Fields) => string>> = {
  workspace: ({ id, name, defaultSiteId }) =>
    `id=${text(id)} defaultSiteId=${text(defaultSiteId)} ${quoted(text(name))}`,
  site: ({ id, slug, url, isDefault, name }) =>
    `${text(slug)} id=${text(id)} ${text(url)}${isDefault === true ? ' (default)' : ''}${typeof name === 'string' ? ` ${quoted(name)}` : ''}`,
  page: (page) => (page['dryRun'] === undefined ? pageLine(page) : dryRunText(page)),
  file: fileText,
  hit: hitText,
  backlink: ({ path, line, title }) =>
    `${word(text(path))} line ${text(line)}${typeof title === 'string' ? ` ${quoted(title)}` : ''}`,
  version: ({ number, action, author, createdAt, id, message, verified }) =>
    `${text(number)} ${text(action)} at ${text(createdAt)} id=${text(id)} by ${quoted(text(author))}${reasonText(message, verified)}`,
  diff: ({ unified }) => (unified === null ? 'The versions are too large to compare: read both.' : ''),
  collection: ({ id, name, schema }) => `id=${text(id)} schema=${json(schema)} ${quoted(text(name))}`,
  record: ({ id, data, etag }) => `id=${text(id)} etag=${text(etag)} ${json(data)}`,
  deleted: ({ id }) => `Deleted ${text(id)}.`,
  commit: commitText,
  undo: undoText,
  request: requestText,
  comment: commentText,
  updatedRequest: updatedRequestText,
  publishedRequest: publishedRequestText,
  batch: batchText,
  edits: editsText,
  checks: checksText,
  template: ({ id, source }) => `${text(id)} (${text(source)})`,
  me: meText,
  usage: usageText,
}

/** Tells a key and all its limits. Older services send neither slugs nor paths. */
function meText({ key, scopes, workspace }: Fields): string {
  const { id, label, sites, siteSlugs = sites, paths, expiresAt } = key as Fields
  const seen = siteSlugs === null ? 'all sites' : `the sites ${(siteSlugs as string[]).join(' ')}`
  const where = Array.isArray(paths) ? `, writing only to ${(paths as string[]).map(word).join(' ')}` : ''
  const until = typeof expiresAt === 'string' ? `, until ${expiresAt}` : ''
  return `key=${text(id)} may ${(scopes as string[]).join(', ')} on ${seen} of the workspace ${text((workspace as Fields)['id'])}${where}${until}, called ${quoted(text(label))}`
}

/** Names the figures of a workspace, each with its quota. */
function usageText(usage: Fields): string {
  const uses = ['bytes', 'pages', 'sites'].map((name) => {
    const { used, quota } = usage[name] as { used: number; quota: number | null }
    return `${name} ${used} of ${quota ?? 'no limit'}`
  })
  return uses.join(', ')
}

/** Returns at most `bytes` bytes. */
export function shortText(shows: ToolDefinition['shows'], data: unknown, bytes: number): string {
  const fields = data as Fields
  const line = [
    LINES[shows](fields) + foundText(fields) + matchesText(fields),
    ...writtenRequestLines(fields),
    ...doneWarningLines(fields),
  ].join('\n')
  const long = longTextOf(fields, shows === 'file' ? 'file-content' : 'page-content')
  return cutToBytes(long === undefined ? line : withLongText(line, long, bytes), bytes)
}

/** Words each entry of a list in few words. */
export function entryTexts(shows: ToolDefinition['shows'], entries: readonly Fields[]): string[] {
  return entries.map(shows === 'page' ? pageRow : (entry) => LINES[shows](entry))
}

/** Counts the entries that fit next to a cursor of usual length, at least one. */
export function countFitting(texts: readonly string[], bytes: number): number {
  let left = bytes - USUAL_CURSOR_BYTES
  const over = texts.findIndex((entry) => (left -= Buffer.byteLength(entry) + 1) < 0)
  return over < 0 ? texts.length : Math.max(1, over)
}

const USUAL_CURSOR_BYTES = 300

/** Returns at most `bytes` bytes; entries that do not fit are left out and counted. */
export function shortListText(texts: readonly string[], nextCursor: string | null, bytes: number): string {
  if (texts.length === 0) return 'None.'
  const more = nextCursor === null ? '' : `\nThere are more: pass cursor=${nextCursor}`
  const room = bytes - Buffer.byteLength(more)
  const fitting = countFitting(texts, room)
  const rest = fitting < texts.length ? `\n${texts.length - fitting} more do not fit: ${RAISE_THE_BOUND}` : ''
  const end = rest + more
  const lines = texts.slice(0, fitting).join('\n')
  return `${cutToBytes(lines, Math.max(0, bytes - Buffer.byteLength(end)))}${end}`
}

/** Names the lines that a heading or selector found, for edits by lines. */
function foundText({ found }: Fields): string {
  if (found === undefined) return ''
  const lines = (found as { from: number; to: number }[]).map(({ from, to }) => (from === to ? from : `${from}-${to}`))
  return `\nFound at lines ${lines.slice(0, MAX_NAMED_LINES).join(', ')}${lines.length > MAX_NAMED_LINES ? ', …' : ''} of the html.`
}

const MAX_NAMED_LINES = 20

/** Names the places that a text or pattern found, for edits, and for reading the text around them by characters. */
function matchesText({ matches }: Fields): string {
  if (matches === undefined) return ''
  const { count, places } = matches as {
    count: number
    places: { line: number; from: number; to: number; text: string }[]
  }
  const lines = places.map(
    ({ line, from, to, text: shown }) => `\n  line ${line}, chars=${from}-${to}: ${quoted(shown)}`,
  )
  const shown = count > places.length ? `, of which the first ${places.length}` : ''
  return `\nFound ${count} ${count === 1 ? 'time' : 'times'}${shown}${lines.length === 0 ? '.' : ':'}${lines.join('')}`
}

/** Returns the page, file, version or diff that an answer holds, with the place of a part in the whole. */
function longTextOf(
  { html, content, unified, dryRun, lines, characters }: Fields,
  name: LongText['name'],
): LongText | undefined {
  const part = characters === undefined ? undefined : ({ lines, characters } as LongText['part'])
  const page = html ?? content
  const long = page ?? unified
  if (typeof long === 'string') {
    return { name: page === undefined ? 'diff' : name, text: long, part: part ?? partOf(long, {}) }
  }
  const diff = (dryRun as Fields | undefined)?.['diff']
  return typeof diff === 'string' ? { name: 'diff', text: diff } : undefined
}

/** A longer URL is left out: it repeats the path, percent-encoded. */
const MAX_URL_CHARACTERS = 300

function pageLine({ path, url, title, status, version, etag, id, changed }: Fields): string {
  const number = (version as { number: number } | undefined)?.number
  const link = typeof url === 'string' && url.length <= MAX_URL_CHARACTERS ? ` ${url}` : ''
  const line = `${word(text(path))} ${text(status)} version=${text(number)} id=${text(id)} etag=${text(etag)}${link}`
  const unchanged = changed === false ? ' (unchanged: the page has this content already)' : ''
  return `${line}${unchanged}${typeof title === 'string' ? ` ${quoted(title)}` : ''}`
}

/** Shows a page in a list: its path names it, and gives its URL. */
function pageRow({ path, title, status, version, etag }: Fields): string {
  const { number } = version as { number: number }
  return `${word(text(path))} ${text(status)} version=${number} etag=${text(etag)}${typeof title === 'string' ? ` ${quoted(title)}` : ''}`
}

/**
 * Shows a file with its entity tag, which is the oid of its bytes. The tag of an old version is left out: it is no condition for a change.
 */
function fileText(file: Fields): string {
  const { path, oid, size, url, changed, replaced, version, dryRun } = file
  const name = word(text(path))
  const bytes = replaced === undefined ? undefined : `${text((replaced as Fields)['size'])} bytes`
  if (dryRun !== undefined) {
    const line = `Dry run, nothing was changed: ${name}${bytes === undefined ? '' : `, would replace ${bytes}`}`
    return [line, ...warningLines((dryRun as Fields)['warnings'] as Warning[])].join('\n')
  }
  if (oid === undefined) return `Deleted ${name}.`
  if (version !== undefined) return `${name} version=${text((version as Fields)['number'])} ${text(size)} bytes`
  const unchanged = changed === false ? ' (unchanged: these bytes are there already)' : ''
  const link = typeof url === 'string' && url.length <= MAX_URL_CHARACTERS ? ` ${url}` : ''
  return `${name} etag="${text(oid)}" ${text(size)} bytes${link}${unchanged}${bytes === undefined ? '' : `, replaced ${bytes}`}`
}

/** The most characters of a line that are shown. */
const MAX_LINE_CHARACTERS = 160

function hitText({ path, title, lines }: Fields): string {
  const found = (lines as { line: number; text: string }[]).map(
    ({ line, text: shown }) => `  line ${line}: ${quoted(shown.slice(0, MAX_LINE_CHARACTERS))}`,
  )
  return [`${word(text(path))}${typeof title === 'string' ? ` ${quoted(title)}` : ''}`, ...found].join('\n')
}

/** Shows a page without its entity tag, which names a commit that was never made. */
function dryRunText({ path, status, version, id, changed, dryRun }: Fields): string {
  const { previewUrl, expiresAt, warnings } = dryRun as Fields
  const { number } = version as { number: number }
  const outcome = changed === false ? 'would not change' : `would be ${text(status)} as version=${number}`
  const lines = [`Dry run, nothing was published: ${word(text(path))} ${outcome} id=${text(id)}`]
  if (previewUrl !== null && changed !== false) lines.push(`Preview until ${text(expiresAt)}: ${text(previewUrl)}`)
  return [...lines, ...warningLines(warnings as Warning[])].join('\n')
}

/** Returns strings as they are, for values that the service made; everything else as JSON. */
function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}
