// Lists the files of a folder that a deploy publishes, by their names in the site's repository.

import { isUtf8 } from 'node:buffer'
import { type Dirent, existsSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { LEADS_OUT, NAME_NOT_UTF8, type RefusedName, UnusableFolder } from './unusable-folder.js'

/** Name of the file with ignore rules, in the syntax of gitignore; read from the root of the folder. */
export const IGNORE_FILE = '.palimpsestignore'

/** Names that no site publishes unless IGNORE_FILE says otherwise (`!node_modules/`). */
const USUALLY_IGNORED = ['.*', '!.well-known', 'node_modules/']

/** The service's limit for one deploy. Links can make a small folder endless, so the search stops there. */
const MAX_FILES = 20_000

/** Folders of tools, whose pages nobody means to publish. */
const OF_TOOLS: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.cache'])
/** Names to look at in one hidden folder. */
const MAX_NAMES = 2_000

export interface LocalFile {
  /** Name in the repository: `img/logo.svg`. */
  name: string
  /** Path on this machine. */
  file: string
}

/** A hidden or ignored name. */
export interface IgnoredName {
  name: string
  rule: 'hidden' | 'packages' | typeof IGNORE_FILE
}

export interface LocalFolder {
  files: LocalFile[]
  /** Links that lead nowhere or outside, names that are neither file nor folder, and names that are not UTF-8. */
  refused: RefusedName[]
  ignored: IgnoredName[]
  /** Names among the ignored ones that hold pages, and that nobody asked to ignore. */
  hidden: RefusedName[]
}

export interface FolderOptions {
  /** The path that the files are published below: `/docs`. */
  below?: string | undefined
  /** Follows symbolic links that lead out of the folder too. */
  followLinks?: boolean
}

/** Lists all files below the folder, by name. Throws UnusableFolder past 20,000 files. */
export function filesOfFolder(folder: string, { below = '', followLinks = false }: FolderOptions = {}): LocalFolder {
  const search: Search = {
    root: realpathSync(folder),
    prefix: below.split('/').filter(Boolean).join('/'),
    ...ignoreRules(folder),
    followLinks,
    found: { files: [], refused: [], ignored: [], hidden: [] },
  }
  searchFolder(search, folder, '', [search.root])
  return search.found
}

interface Search {
  /** Path without links. */
  root: string
  prefix: string
  /** Undefined if the folder adds none to those that are usual. */
  rules: Ignore | undefined
  /** The folder's own rules alone. */
  ownRules: Ignore
  followLinks: boolean
  found: LocalFolder
}

function ignoreRules(folder: string): Pick<Search, 'rules' | 'ownRules'> {
  const file = join(folder, IGNORE_FILE)
  const own = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  return {
    rules: own === undefined ? undefined : ignore().add(USUALLY_IGNORED).add(own),
    ownRules: ignore().add(own ?? ''),
  }
}

/** Whether the rules ignore `name`, which ends in a slash for a folder. `last` is its last part. */
function isIgnored(rules: Ignore | undefined, name: string, last: string): boolean {
  if (rules !== undefined) return rules.ignores(name)
  // The same as USUALLY_IGNORED says, without a matcher.
  const lower = last.toLowerCase()
  return (lower.startsWith('.') && lower !== '.well-known') || (lower === 'node_modules' && name.endsWith('/'))
}

/** Searches a folder. `inside` is its name below the root, with a slash after it; `above` holds the real paths of the folders around it. */
function searchFolder(search: Search, folder: string, inside: string, above: readonly string[]): void {
  const { found, rules } = search
  const { entries, unreadable } = entriesOf(folder)
  for (const name of unreadable) found.refused.push({ name: inside + name, reason: NAME_NOT_UTF8 })
  const names = new Set(entries.map(({ name }) => name))
  for (const entry of entries) {
    const name = `${inside}${entry.name}`
    // Joined by hand: `join` looks at each character again, for thousands of files.
    const file = `${folder}/${entry.name}`
    // Only links cost further system calls: a site has thousands of files.
    const isLink = entry.isSymbolicLink()
    const kind = isLink ? kindOfLinked(file) : entry
    const asRuled = kind !== 'loop' && kind?.isDirectory() === true ? `${name}/` : name
    if (isIgnored(rules, asRuled, entry.name)) leaveOut(search, asRuled, file)
    else if (kind === undefined) found.refused.push({ name, reason: 'is a link to nothing' })
    else if (kind === 'loop') found.refused.push({ name, reason: 'is a link that leads back to itself' })
    else {
      // A file that is no link is where its folder is, so it needs no check: there are thousands of them.
      const isPlain = !isLink && kind.isFile()
      const real = isLink ? realpathSync(file) : isPlain ? '' : join(above.at(-1) ?? search.root, entry.name)
      const reason = isPlain ? undefined : refusalOf(search, kind, real, above)
      const sent = `${inside}${composed(entry.name, names)}`
      if (reason !== undefined) found.refused.push({ name, reason })
      else if (kind.isDirectory()) searchFolder(search, file, `${sent}/`, [...above, real])
      else addFile(search, sent, file)
    }
  }
}

/** Returns what a link leads to; undefined for nothing. */
function kindOfLinked(file: string): Stats | 'loop' | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') return 'loop'
    throw error
  }
}

/** Lists a folder by name. Names may be any bytes on Linux: those that are no text are read again as bytes. */
function entriesOf(folder: string): { entries: Dirent[]; unreadable: string[] } {
  const entries = readdirSync(folder, { withFileTypes: true })
  // The replacement character stands for bytes that are no text; a name may also have it as such.
  const isDoubtful = entries.some(({ name }) => name.includes('\uFFFD'))
  const unreadable = isDoubtful ? readdirSync(folder, { encoding: 'buffer' }).filter((name) => !isUtf8(name)) : []
  const readable =
    unreadable.length === 0 ? entries : entries.filter(({ name }) => !unreadable.some((raw) => raw.toString() === name))
  return { entries: readable.toSorted((a, b) => (a.name < b.name ? -1 : 1)), unreadable: unreadable.map(escaped) }
}

/** Shows bytes that are no text as a shell would take them: `caf\\xe9.txt`. */
function escaped(name: Buffer): string {
  return name
    .toString('latin1')
    .replaceAll(/[^\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

function refusalOf(
  { root, followLinks }: Search,
  kind: Pick<Stats, 'isFile' | 'isDirectory'>,
  real: string,
  above: readonly string[],
): string | undefined {
  if (!kind.isFile() && !kind.isDirectory()) return 'is neither a file nor a folder'
  if (!followLinks && relative(root, real).split(sep)[0] === '..') return LEADS_OUT
  return above.includes(real) ? 'is a link to a folder that holds it' : undefined
}

/** Notes a name as ignored, and the pages in it if its name alone hides them. */
function leaveOut({ found, ownRules }: Search, name: string, file: string): void {
  const isNamed = ownRules.ignores(name)
  found.ignored.push({ name, rule: isNamed ? IGNORE_FILE : name.endsWith('node_modules/') ? 'packages' : 'hidden' })
  const reason = isNamed ? undefined : hiddenPagesIn(name, file)
  if (reason !== undefined) found.hidden.push({ name, reason })
}

/** Returns the name in Unicode's composed form (NFC), as git sends it from systems that decompose names, unless that is another entry. */
function composed(name: string, names: ReadonlySet<string>): string {
  const form = name.normalize('NFC')
  return names.has(form) ? name : form
}

function addFile({ prefix, found }: Search, inside: string, file: string): void {
  const name = prefix === '' ? inside : `${prefix}/${inside}`
  if (found.files.push({ name, file }) > MAX_FILES)
    throw new UnusableFolder(
      `There are more than ${MAX_FILES} files: push the folder with git, or publish a part of it at a time (--path).`,
    )
}

/** Returns the end of a sentence that begins with the name; undefined if it hides no page. A folder's `name` ends in a slash. */
function hiddenPagesIn(name: string, file: string): string | undefined {
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
