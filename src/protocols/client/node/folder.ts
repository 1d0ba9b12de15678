// Lists the files of a folder that a deploy publishes, by their names in the site's repository.

import { existsSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { LEADS_OUT, type RefusedName, UnusableFolder } from './unusable-folder.js'

/** Name of the file with ignore rules, in the syntax of gitignore; read from the root of the folder. */
export const IGNORE_FILE = '.palimpsestignore'

/** Names that no site publishes unless IGNORE_FILE says otherwise (`!node_modules/`). */
const USUALLY_IGNORED = ['.*', '!.well-known', 'node_modules/']

/** The service's limit for one deploy. Links can make a small folder endless, so the search stops there. */
const MAX_FILES = 20_000

export interface LocalFile {
  /** Name in the repository: `img/logo.svg`. */
  name: string
  /** Path on this machine. */
  file: string
}

export interface LocalFolder {
  files: LocalFile[]
  /** Links that lead nowhere or outside, and names that are neither file nor folder. */
  refused: RefusedName[]
  ignored: number
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
    rules: ignoreRules(folder),
    followLinks,
    found: { files: [], refused: [], ignored: 0 },
  }
  searchFolder(search, folder, '', [search.root])
  return search.found
}

interface Search {
  /** Path without links. */
  root: string
  prefix: string
  rules: Ignore
  followLinks: boolean
  found: LocalFolder
}

function ignoreRules(folder: string): Ignore {
  const file = join(folder, IGNORE_FILE)
  const rules = ignore().add(USUALLY_IGNORED)
  return existsSync(file) ? rules.add(readFileSync(file, 'utf8')) : rules
}

/** Searches a folder. `inside` is its name below the root, with a slash after it; `above` holds the real paths of the folders around it. */
function searchFolder(search: Search, folder: string, inside: string, above: readonly string[]): void {
  const { found, rules } = search
  for (const entry of readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = `${inside}${entry.name}`
    const file = join(folder, entry.name)
    // Only links cost further system calls: a site has thousands of files.
    const isLink = entry.isSymbolicLink()
    const kind = isLink ? statSync(file, { throwIfNoEntry: false }) : entry
    if (rules.ignores(kind?.isDirectory() === true ? `${name}/` : name)) found.ignored += 1
    else if (kind === undefined) found.refused.push({ name, reason: 'is a link to nothing' })
    else {
      // A file that is no link is where its folder is, so it needs no check: there are thousands of them.
      const isPlain = !isLink && kind.isFile()
      const real = isLink ? realpathSync(file) : isPlain ? '' : join(above.at(-1) ?? search.root, entry.name)
      const reason = isPlain ? undefined : refusalOf(search, kind, real, above)
      if (reason !== undefined) found.refused.push({ name, reason })
      else if (kind.isDirectory()) searchFolder(search, file, `${name}/`, [...above, real])
      else addFile(search, name, file)
    }
  }
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

/** Adds a file. Names are sent in Unicode's composed form (NFC), as git does on systems that decompose them. */
function addFile({ prefix, found }: Search, inside: string, file: string): void {
  const name = (prefix === '' ? inside : `${prefix}/${inside}`).normalize('NFC')
  if (found.files.push({ name, file }) > MAX_FILES)
    throw new UnusableFolder(`There are more than ${MAX_FILES} files: publish a part of the folder at a time.`)
}
