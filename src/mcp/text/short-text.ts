// An answer in few words, for hosts that show an agent only the text: enough to continue working. Names and titles stand last in
// their line and between quotes; what others wrote at length stands between marks.

import type { ToolDefinition } from '../tools/tool-table.js'
import { fenced, json, oneLine, quoted, word } from './untrusted-text.js'

type Fields = Record<string, unknown>

const LINES: Readonly<Record<ToolDefinition['shows'], (fields: Fields) => string>> = {
  workspace: ({ id, name, defaultSiteId }) =>
    `id=${text(id)} defaultSiteId=${text(defaultSiteId)} ${quoted(text(name))}`,
  site: ({ id, slug, url, isDefault }) =>
    `${text(slug)} id=${text(id)} ${text(url)}${isDefault === true ? ' (default)' : ''}`,
  page: (page) => (page['dryRun'] === undefined ? pageLine(page) : dryRunText(page)),
  version: ({ number, action, author, createdAt, id }) =>
    `${text(number)} ${text(action)} at ${text(createdAt)} id=${text(id)} by ${quoted(text(author))}`,
  diff: ({ unified }) =>
    typeof unified === 'string' ? fenced('diff', unified) : 'The versions are too large to compare: read both.',
  collection: ({ id, name, schema }) => `id=${text(id)} schema=${json(schema)} ${quoted(text(name))}`,
  record: ({ id, data, etag }) => `id=${text(id)} etag=${text(etag)} ${json(data)}`,
  deleted: ({ id }) => `Deleted ${text(id)}.`,
}

export function shortText(shows: ToolDefinition['shows'], data: unknown): string {
  const fields = data as Fields
  const { html } = fields
  const line = LINES[shows](fields)
  return typeof html === 'string' ? `${line}${rangeText(fields)}\n\n${fenced('page-content', html)}` : line
}

export function shortListText(
  shows: ToolDefinition['shows'],
  entries: readonly unknown[],
  nextCursor: string | null,
): string {
  const lines = entries.map((entry) => LINES[shows](entry as Fields))
  if (lines.length === 0) lines.push('None.')
  if (nextCursor !== null) lines.push(`There are more: pass cursor=${nextCursor}`)
  return lines.join('\n')
}

function pageLine({ path, url, title, status, version, etag, id, changed }: Fields): string {
  const number = (version as { number: number } | undefined)?.number
  const line = `${word(text(path))} ${text(status)} version=${text(number)} id=${text(id)} etag=${text(etag)} ${text(url)}`
  const unchanged = changed === false ? ' (unchanged: the page has this content already)' : ''
  return `${line}${unchanged}${typeof title === 'string' ? ` ${quoted(title)}` : ''}`
}

/** Without the entity tag, which names a commit that was never made. */
function dryRunText({ path, status, version, id, changed, dryRun }: Fields): string {
  const { previewUrl, expiresAt, warnings } = dryRun as Fields
  const { number } = version as { number: number }
  const outcome = changed === false ? 'would not change' : `would be ${text(status)} as version=${number}`
  const lines = [`Dry run, nothing was published: ${word(text(path))} ${outcome} id=${text(id)}`]
  if (previewUrl !== null) lines.push(`Preview until ${text(expiresAt)}: ${text(previewUrl)}`)
  for (const { path: page, message } of warnings as { path: string | null; message: string }[])
    lines.push(`Warning: ${page === null ? '' : `${word(page)}: `}${oneLine(message)}`)
  return lines.join('\n')
}

function rangeText({ lines }: Fields): string {
  if (lines === undefined) return ''
  const { from, to, total } = lines as { from: number; to: number; total: number }
  return `\nLines ${from}-${to} of ${total}.${to < total ? ` Go on with lines=${to + 1}-` : ''}`
}

/** Strings as they are, for values that the service made; everything else as JSON. */
function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}
