// Words what a change does to pages and files: how many, and the first of them by name.

import { pagePathOf } from '../../../model/paths/page-path.js'
import { word } from './untrusted-text.js'

export interface ChangedFile {
  path: string
  change: string
}

/** Pages and files that are named for one kind of change. */
const MAX_NAMED = 10

const VERBS: Readonly<Record<string, { page: string; file: string }>> = {
  removed: { page: 'unpublishes', file: 'deletes' },
  added: { page: 'restores', file: 'restores' },
  modified: { page: 'changes', file: 'changes' },
}

/** Returns a line for each kind of change. Files of the service, such as titles and records, are counted alone. */
export function effectLines(files: readonly ChangedFile[]): string[] {
  const shown = files.filter(({ path }) => !path.startsWith('.'))
  const own = files.length - shown.length
  const lines = Object.entries(VERBS).flatMap(([change, verbs]) => {
    const changed = shown.filter((file) => file.change === change)
    const pages = changed.flatMap(({ path }) => pagePathOf(path) ?? [])
    const others = changed.filter(({ path }) => pagePathOf(path) === undefined).map(({ path }) => `/${path}`)
    return [...effectLine(verbs.page, 'page', pages), ...effectLine(verbs.file, 'file', others)]
  })
  return lines.length > 0 || own === 0 ? lines : [`changes ${own} titles, records or settings`]
}

function effectLine(verb: string, noun: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return []
  const named = paths.slice(0, MAX_NAMED).map(word).join(' ')
  const more = paths.length > MAX_NAMED ? ` … and ${paths.length - MAX_NAMED} more` : ''
  return [`${verb} ${paths.length} ${noun}${paths.length === 1 ? '' : 's'}: ${named}${more}`]
}
