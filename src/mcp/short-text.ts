// An answer in few words, for hosts that show an agent only the text: enough to continue working.

import type { ToolDefinition } from './tool-table.js'

type Fields = Record<string, unknown>

const LINES: Readonly<Record<ToolDefinition['shows'], (fields: Fields) => string>> = {
  workspace: ({ id, name, defaultSiteId }) => `${text(name)} id=${text(id)} defaultSiteId=${text(defaultSiteId)}`,
  site: ({ id, slug, url, isDefault }) =>
    `${text(slug)} id=${text(id)} ${text(url)}${isDefault === true ? ' (default)' : ''}`,
  page: (page) => (page['dryRun'] === undefined ? pageLine(page) : dryRunText(page)),
  version: ({ number, action, author, createdAt, id }) =>
    `${text(number)} ${text(action)} by ${text(author)} at ${text(createdAt)} id=${text(id)}`,
  diff: ({ unified }) => text(unified ?? 'The versions are too large to compare: read both.'),
  collection: ({ id, name, schema }) => `${text(name)} id=${text(id)} schema=${text(schema)}`,
  record: ({ id, data, etag }) => `id=${text(id)} etag=${text(etag)} ${text(data)}`,
  deleted: ({ id }) => `Deleted ${text(id)}.`,
}

export function shortText(shows: ToolDefinition['shows'], data: unknown): string {
  const fields = data as Fields
  const { html } = fields
  const line = LINES[shows](fields)
  return typeof html === 'string' ? `${line}${rangeText(fields)}\n\n${html}` : line
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
  const head = `${text(path)} ${text(title ?? '')} ${text(status)} version=${text(number)} id=${text(id)} etag=${text(etag)}`
  return `${head} ${text(url)}${changed === false ? ' (unchanged: the page has this content already)' : ''}`
}

/** Without the entity tag, which names a commit that was never made. */
function dryRunText({ path, status, version, id, changed, dryRun }: Fields): string {
  const { previewUrl, expiresAt, warnings } = dryRun as Fields
  const { number } = version as { number: number }
  const outcome = changed === false ? 'would not change' : `would be ${text(status)} as version=${number}`
  const lines = [`Dry run, nothing was published: ${text(path)} ${outcome} id=${text(id)}`]
  if (previewUrl !== null) lines.push(`Preview until ${text(expiresAt)}: ${text(previewUrl)}`)
  for (const { path: page, message } of warnings as { path: string | null; message: string }[])
    lines.push(`Warning: ${page === null ? '' : `${page}: `}${message}`)
  return lines.join('\n')
}

function rangeText({ lines }: Fields): string {
  if (lines === undefined) return ''
  const { from, to, total } = lines as { from: number; to: number; total: number }
  return `\nLines ${from}-${to} of ${total}.${to < total ? ` Go on with lines=${to + 1}-` : ''}`
}

/** Strings as they are, everything else as JSON. */
function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}
