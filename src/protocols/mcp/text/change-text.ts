// Words answers about many changes in few words: commits, undos, batches and the checks of a site.

import { type ChangedFile, effectLines } from './effect-text.js'
import { messageText } from './message-text.js'
import { toolWords } from './tool-words.js'
import { oneLine, quoted, word } from './untrusted-text.js'

type Fields = Record<string, unknown>

interface Push {
  message: string | null
}

interface CommittedFile {
  path: string
  change: string
  page: { id: string; version: number } | null
}

/** The most entries that are named one by one. */
const MAX_NAMED = 20
/** The most warnings of a write that is done. */
const MAX_DONE_WARNINGS = 5
/** The most pages that are named for one broken link. */
const MAX_PAGES = 10

export function commitText(commit: Fields): string {
  const { id, parent, createdAt, author, subject, message, files, fileCount, mine, verified, push, tags } = commit
  const made = mine === true ? ' by you' : verified === 'service' || parent === null ? '' : ' pushed'
  const told = (push as Push | null)?.message
  const said = typeof told === 'string' ? `, pushed as ${quoted(told)}` : ''
  const line = `${String(id)} at ${String(createdAt)}${made} ${messageText(message ?? subject, verified)} by ${quoted(String(author))}${said}${taggedAs(tags)}`
  if (!Array.isArray(files)) return line
  const named = (files as CommittedFile[]).map(
    ({ path, change, page }) =>
      `${change} ${word(path)}${page == null ? '' : ` id=${page.id} version=${page.version}`}`,
  )
  return [line, ...listed(named, Number(fileCount))].join('\n')
}

/** Lists the tags. Older services send neither tags nor pages. */
function taggedAs(tags: unknown): string {
  const names = (Array.isArray(tags) ? (tags as string[]) : []).slice(0, MAX_NAMED).map(word)
  return names.length === 0 ? '' : `, tagged ${names.join(' ')}`
}

/** Words an undo. `files` are those of its commit, where they are known. */
export function undoText({ commit, changed, undone, dryRun, files }: Fields): string {
  const commits = undone as { id: string; subject: string }[]
  if (changed !== true) return 'There is nothing to undo.'
  const count = `${commits.length} ${commits.length === 1 ? 'commit' : 'commits'}`
  const head =
    dryRun === undefined ? `Undid ${count}, in the commit ${String(commit)}:` : `Dry run: would undo ${count}:`
  const named = commits.map(({ id, subject }) => `${id.slice(0, 10)} ${quoted(subject)}`)
  const effects = effectLines(((dryRun as DryRun | undefined)?.files ?? files ?? []) as ChangedFile[])
  const isLong = (dryRun as DryRun | undefined)?.diff === null
  const rest = isLong ? ['The difference is too long to show: open the preview, or undo fewer commits.'] : []
  return [head, ...listed(named, commits.length), ...indented(effects), ...rest, ...dryRunLines(dryRun)].join('\n')
}

function indented(effects: readonly string[]): string[] {
  return effects.length === 0 ? [] : ['It', ...effects.map((line) => `  ${line}`)]
}

interface BatchItem {
  id: string
  path?: string
  created: boolean
  changed: boolean
}

export function batchText(batch: Fields): string {
  const { commit, items: all, dryRun } = batch as { commit: string | null; items: BatchItem[]; dryRun?: DryRun }
  const changed = all.filter((item) => item.changed)
  const count = `${changed.length} of ${all.length}`
  const head =
    dryRun === undefined
      ? `${count} made changes${commit === null ? '.' : `, in the commit ${commit}.`}`
      : `Dry run: ${count} would make changes.`
  // Tools take paths for all other items, and the caller knows them.
  const made = all.filter(({ created, path }) => created && path === undefined).map(({ id }) => `id=${id}`)
  return [
    head,
    ...(made.length > 0 ? ['New records:', ...listed(made, made.length)] : []),
    ...dryRunLines(dryRun),
  ].join('\n')
}

interface Edits {
  commit: string | null
  count?: number
  pages: { path: string; count?: number }[]
  dryRun?: DryRun
}

export function editsText(edits: Fields): string {
  const { commit, count, pages, dryRun } = edits as unknown as Edits
  const places = `${count === undefined ? '' : `${count} places on `}${pages.length} pages`
  if (pages.length === 0) return 'No page has it. Nothing was changed. count=0'
  if (dryRun === undefined) return `Changed ${places}, in the commit ${String(commit)}.`
  const named = pages.map((page) => `${word(page.path)} ${page.count ?? ''}`)
  return [
    `Dry run: would change ${places}, count=${count}:`,
    ...listed(named, named.length),
    ...dryRunLines(dryRun),
  ].join('\n')
}

interface Finding {
  code: string
  path: string
  message: string
  target?: string
  count?: number
  pages?: { path: string; line: number }[]
}

export function checksText({ complete, findings }: Fields): string {
  const all = findings as Finding[]
  const lines = all.map(({ path, message, target, pages, count = 0 }) => {
    if (target === undefined || pages === undefined) return `${word(path)}: ${toolWords(oneLine(message))}`
    const where = pages.slice(0, MAX_PAGES).map(({ path: page, line }) => `${word(page)}:${line}`)
    return `Broken link to ${word(target)} on ${count} ${count === 1 ? 'page' : 'pages'}: ${where.join(' ')}${count > where.length ? ' …' : ''}`
  })
  if (lines.length === 0) lines.push('Nothing is wrong.')
  if (complete !== true) lines.push('The check stopped at its limits: there may be more.')
  return lines.join('\n')
}

interface DryRun {
  diff?: string | null
  files?: ChangedFile[]
  previewUrl: string | null
  expiresAt: string | null
  warnings: Warning[]
}

export interface Warning {
  code?: string
  path: string | null
  message: string
}

export function dryRunLines(dryRun: unknown): string[] {
  if (dryRun === undefined) return []
  const { previewUrl, expiresAt, warnings } = dryRun as DryRun
  const preview = previewUrl === null ? [] : [`Preview until ${expiresAt}: ${previewUrl}`]
  return [...preview, ...warningLines(warnings)]
}

export function warningLines(warnings: readonly Warning[], most = MAX_NAMED): string[] {
  const lines = warnings.map(
    ({ path, message }) => `Warning: ${path === null ? '' : `${word(path)}: `}${toolWords(oneLine(message))}`,
  )
  return listed(lines, lines.length, most)
}

/** Words the first warnings of a write that is done. */
export function doneWarningLines({ warnings }: Fields): string[] {
  return warningLines((warnings ?? []) as Warning[], MAX_DONE_WARNINGS).map((line) =>
    line.replace('would lead nowhere', 'leads nowhere'),
  )
}

function listed(lines: readonly string[], count: number, most = MAX_NAMED): string[] {
  const shown = lines.slice(0, most)
  return count > shown.length ? [...shown, `… and ${count - shown.length} more`] : [...shown]
}
