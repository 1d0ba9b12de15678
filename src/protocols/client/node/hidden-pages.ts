// Finds pages that a folder would not publish only because a name begins with a dot, such as those of `.net/`.

import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Folders of tools, whose pages nobody means to publish. */
const OF_TOOLS: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.cache'])
/** Names to look at in one hidden folder. */
const MAX_NAMES = 2_000

/** Returns the end of a sentence that begins with the name; undefined if it hides no page. A folder's `name` ends in a slash. */
export function hiddenPagesIn(name: string, file: string): string | undefined {
  const last = basename(file)
  if (!last.startsWith('.') || OF_TOOLS.has(last)) return undefined
  const pages = name.endsWith('/') ? countPages(file, { left: MAX_NAMES }) : Number(last.endsWith('.html'))
  if (pages === 0) return undefined
  return `holds ${pages === 1 ? 'a page' : `${pages} pages`}, but begins with a dot: no site serves it`
}

/** Counts the `.html` files in a folder and below it, as far as the search goes. Follows no links. */
function countPages(folder: string, search: { left: number }): number {
  let pages = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (--search.left < 0) break
    if (entry.isDirectory()) pages += countPages(join(folder, entry.name), search)
    else if (entry.isFile() && entry.name.endsWith('.html')) pages += 1
  }
  return pages
}
