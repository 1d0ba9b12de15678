// Checks the manifest of a deploy by itself: refuses every bad name at once, with its reason. Others are served in between: 20,000 names
// take a tenth of a second.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Oid } from '../../git/objects/oid.js'
import { ServiceError } from '../../model/errors.js'
import type { Limits } from '../../model/limits.js'
import { treePathOfFile, treePathOfNewFile } from '../../model/paths/file-path.js'
import { foldCase, pagePathOf } from '../../model/paths/page-path.js'
import type { Deploy } from '../../repository/uploads/deploy.js'

export type Manifest = Readonly<Record<string, { oid: string; size: number }>>

/** The oid of a file of the site; undefined if there is none. */
type OidAt = (treePath: string) => Oid | undefined

interface Problem {
  path: string
  message: string
}

/** Names to check before others are served. */
const NAMES_A_TURN = 500
/** The most problems that a refusal lists. */
const MAX_PROBLEMS = 1_000

/** Returns the files, ordered by tree path. `oidAt` gives the oid of a file that the site has already. Throws `invalid_deploy`. */
export async function parseManifest(
  manifest: Manifest,
  limits: Pick<Limits, 'maxHtmlBytes' | 'maxFileBytes' | 'maxDeployBytes'>,
  oidAt: OidAt,
): Promise<Deploy['files']> {
  const problems: Problem[] = []
  const files: [path: string, oid: string, size: number][] = []
  const sizes = new Map<string, number>()
  for await (const [name, { oid, size }] of inTurns(Object.entries(manifest))) {
    const treePath = name.replace(/^\//, '')
    const message = whyNot(treePath, { oid, size }, limits, oidAt) ?? whyOtherSize(sizes, oid, size)
    if (message !== undefined) problems.push({ path: name, message })
    files.push([treePath, oid, size])
  }
  problems.push(...(await sameNames(files.map(([path]) => path))))
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  if (bytes > limits.maxDeployBytes)
    problems.push({
      path: '/',
      message: `The files have ${bytes} bytes together: the limit is ${limits.maxDeployBytes}.`,
    })
  if (problems.length > 0) throw refusal(problems)
  return files.toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** Whether a `.html` has a name that no page can have: it is published as a file. */
export function isFalsePage(treePath: string): boolean {
  return treePath.endsWith('.html') && pagePathOf(treePath) === undefined
}

function whyNot(
  treePath: string,
  { oid, size }: Manifest[string],
  { maxHtmlBytes, maxFileBytes }: Pick<Limits, 'maxHtmlBytes' | 'maxFileBytes'>,
  oidAt: OidAt,
): string | undefined {
  try {
    const isPage = pagePathOf(treePath) !== undefined
    if (!isPage) checkName(treePath, oidAt)
    // An empty page that a push brought stays as it is.
    if (isPage && size === 0 && oidAt(treePath) !== oid) return 'A page cannot be empty.'
    const most = isPage ? maxHtmlBytes : maxFileBytes
    return size > most ? `It has ${size} bytes: ${isPage ? 'a page' : 'a file'} has at most ${most}.` : undefined
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
}

/** Checks a file's name. An existing file may keep a name that no new file may have. */
function checkName(name: string, oidAt: OidAt): void {
  const treePath = treePathOfFile(name)
  try {
    treePathOfNewFile(name)
  } catch (error) {
    if (oidAt(treePath) === undefined) throw error
  }
}

function whyOtherSize(sizes: Map<string, number>, oid: string, size: number): string | undefined {
  const known = sizes.get(oid)
  sizes.set(oid, size)
  return known === undefined || known === size
    ? undefined
    : `The manifest gives these bytes the size ${known} elsewhere.`
}

/** Finds names that differ only in case, and files in the place of a folder. */
async function sameNames(paths: readonly string[]): Promise<Problem[]> {
  const problems: Problem[] = []
  const files = new Map<string, string>()
  for await (const path of inTurns(paths)) {
    const folded = foldCase(path)
    const other = files.get(folded)
    if (other !== undefined)
      problems.push({ path, message: `It has the same name as ${other}, ignoring case: rename one.` })
    files.set(folded, path)
  }
  const folders = new Map<string, string>()
  for await (const path of inTurns(paths)) {
    for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
      const folder = path.slice(0, slash)
      const folded = foldCase(folder)
      const file = files.get(folded)
      if (file !== undefined)
        problems.push({ path, message: `The file ${file} is where its folder must be: rename one.` })
      const other = folders.get(folded)
      if (other !== undefined && other !== folder)
        problems.push({ path, message: `Its folder has the same name as ${other}, ignoring case: rename one.` })
      folders.set(folded, folder)
    }
  }
  return problems
}

/** Yields each item; others are served after every few hundred. */
export async function* inTurns<T>(all: readonly T[]): AsyncGenerator<T> {
  for (const [at, one] of all.entries()) {
    if (at % NAMES_A_TURN === NAMES_A_TURN - 1) await nextTurn()
    yield one
  }
}

function refusal(problems: readonly Problem[]): ServiceError {
  const [first] = problems
  const more = problems.length > 1 ? ` And ${problems.length - 1} more, see details.` : ''
  return new ServiceError(
    'invalid_deploy',
    `The deploy is refused, and nothing was published. ${first?.path}: ${first?.message}${more}`,
    {
      problems: problems.slice(0, MAX_PROBLEMS),
    },
  )
}
