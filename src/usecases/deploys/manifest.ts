// Checks the manifest of a deploy by itself: refuses every bad name at once, or leaves it out, with its reason. Others are served in between: 20,000 names
// take a tenth of a second.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Oid } from '../../git/objects/oid.js'
import { ServiceError } from '../../model/errors.js'
import { type FileSizes, type Limits, maxBytesOf } from '../../model/limits.js'
import { treePathOfFile, treePathOfNewFile, treePathOfServedFile } from '../../model/paths/file-path.js'
import { pagePathOf } from '../../model/paths/page-path.js'
import type { Deploy, Problem } from '../../repository/uploads/deploy.js'

export type Manifest = Readonly<Record<string, { oid: string; size: number }>>

/** The oid of a file of the site; undefined if there is none. */
type OidAt = (treePath: string) => Oid | undefined

/** Names to check before others are served. */
const NAMES_A_TURN = 500
/** The most problems that a refusal lists. */
const MAX_PROBLEMS = 1_000

interface ReadManifest {
  /** Ordered by tree path. */
  files: Deploy['files']
  /** The files that are left out. */
  skipped: Problem[]
}

/**
 * Reads the files. `oidAt` gives the oid of a file that the site has already. With `skipInvalid`, files whose names no site can serve are
 * left out, and any other name is taken. A file that is too large refuses the deploy: without it, its old bytes would stay live. Throws
 * `invalid_deploy`.
 */
export async function parseManifest(
  manifest: Manifest,
  limits: FileSizes & Pick<Limits, 'maxDeployBytes'>,
  oidAt: OidAt,
  skipInvalid = false,
): Promise<ReadManifest> {
  const problems: Problem[] = []
  const named: [path: string, oid: string, size: number][] = []
  for await (const [name, { oid, size }] of inTurns(Object.entries(manifest))) {
    const treePath = name.replace(/^\//, '')
    const message = whyNot(treePath, { oid, size }, skipInvalid ? undefined : oidAt)
    if (message !== undefined) problems.push({ path: name, message })
    if (message === undefined || !skipInvalid) named.push([treePath, oid, size])
  }
  const displaced = await inOnePlace(named.map(([path]) => path))
  const files = skipInvalid ? named.filter((_, at) => displaced[at] === undefined) : named
  for (const [at, message] of displaced.entries())
    if (message !== undefined) problems.push({ path: named[at]?.[0] ?? '', message })
  const faults = [...tooLarge(files, limits), ...wrongSums(files, limits)]
  if (!skipInvalid) faults.unshift(...problems)
  if (faults.length > 0) throw refusal(faults)
  return { files: files.toSorted(([a], [b]) => (a < b ? -1 : 1)), skipped: problems }
}

/** Whether a `.html` has a name that no page can have: it is published as a file. */
export function isFalsePage(treePath: string): boolean {
  return treePath.endsWith('.html') && pagePathOf(treePath) === undefined
}

/** Without `oidAt`, a name need not mean the same on every system, and a page may be empty. */
function whyNot(treePath: string, { oid, size }: Manifest[string], oidAt: OidAt | undefined): string | undefined {
  try {
    const isPage = pagePathOf(treePath) !== undefined
    if (!isPage && oidAt === undefined) treePathOfServedFile(treePath)
    else if (!isPage && oidAt !== undefined) checkName(treePath, oidAt)
    // An empty page that a push brought stays as it is.
    else if (size === 0 && oidAt !== undefined && oidAt(treePath) !== oid) return 'A page cannot be empty.'
    return undefined
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

/** Returns for each path why the tree cannot hold it beside the others: named twice, or a file in the place of its folder. */
async function inOnePlace(paths: readonly string[]): Promise<(string | undefined)[]> {
  const files = new Map(paths.map((path, at) => [path, at]))
  const reasons: (string | undefined)[] = []
  for await (const [at, path] of inTurns([...paths.entries()])) {
    let reason = files.get(path) === at ? undefined : `It has the same name as ${path}: leave one out.`
    for (let slash = path.indexOf('/'); slash > 0 && reason === undefined; slash = path.indexOf('/', slash + 1)) {
      const folder = path.slice(0, slash)
      if (files.has(folder)) reason = `The file ${folder} is where its folder must be: rename one.`
    }
    reasons.push(reason)
  }
  return reasons
}

function tooLarge(files: Deploy['files'], limits: FileSizes): Problem[] {
  return files.flatMap(([path, , size]) => {
    const most = maxBytesOf(path, limits)
    return size > most ? [{ path, message: `It has ${size} bytes: a file has at most ${most}.` }] : []
  })
}

/** Finds oids with two sizes, and files that are too large together. */
function wrongSums(files: Deploy['files'], { maxDeployBytes }: Pick<Limits, 'maxDeployBytes'>): Problem[] {
  const sizes = new Map<string, number>()
  const problems: Problem[] = []
  for (const [path, oid, size] of files) {
    const known = sizes.get(oid) ?? size
    if (known !== size) problems.push({ path, message: `The manifest gives these bytes the size ${known} elsewhere.` })
    sizes.set(oid, size)
  }
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  if (bytes > maxDeployBytes)
    problems.push({ path: '/', message: `The files have ${bytes} bytes together: the limit is ${maxDeployBytes}.` })
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
