// Finds damage of a site's repository without reading all of it. Checks its form and settings, locks, main, the ends of its packs,
// the head with its root folder, and commits that main lost. Every finding says what to do about it.

import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { RepositoryInvalid } from '../../../git/objects/errors.js'
import { ObjectDatabase } from '../../../git/storage/object-database.js'
import { findBrokenPacks, PACK_GONE } from '../../../git/storage/pack-pairs.js'
import { isHeldByUs } from '../../../git/disk/scratch.js'
import { findBrokenPackedRef } from '../../../git/repository/packed-refs.js'
import { listRefs, readRef } from '../../../git/repository/ref.js'
import { MAIN } from '../../format/main-ref.js'
import { branchesOf } from '../../protocol/request-branches.js'
import { checkFolders } from './folder-check.js'
import type { FormCheck } from './form-check.js'
import { isIndexSpare } from './spare-index.js'
import { assertOwnTree, OtherSitesRepository } from '../../format/site-identity.js'
import { diagnose, objectTrouble, ofDrafts, REMEDIES, REMEDY, type Trouble } from '../../protocol/trouble.js'

/** Derived files and the bytes that they begin with (gitformat-commit-graph, gitformat-pack). */
const DERIVED = { 'objects/info/commit-graph': 'CGPH', 'objects/pack/multi-pack-index': 'MIDX' }
const LOST = 'refs/palimpsest/lost/'
/** git holds these locks for milliseconds, on an overloaded machine for seconds. The service releases its own. */
const STALE_LOCK_MS = 30_000
const LOCKS = ['refs/heads/main.lock', 'packed-refs.lock', 'HEAD.lock', 'config.lock']
/** Room for the head's commit and its root folder. */
const CACHE_BYTES = 1024 * 1024

/** Lets others be served between two checks. Reading a large root folder takes about 0.1 s. */
export async function inspectRepository(gitdir: string, siteId: string, form: FormCheck): Promise<Trouble[]> {
  const main = [() => checkHead(gitdir, siteId), () => checkLost(gitdir)]
  return await inspectSafely(() => runChecks([...checksOf(gitdir, form), ...main]))
}

/** Does the same for the repository with the change requests of the site at `lender`. Every subject begins with `drafts`. */
export async function inspectDrafts(gitdir: string, lender: string, form: FormCheck): Promise<Trouble[]> {
  if (!existsSync(gitdir)) return []
  const found = await inspectSafely(() =>
    runChecks([...checksOf(gitdir, form, lender), () => checkBranches(gitdir, lender)]),
  )
  return found.map(ofDrafts)
}

async function inspectSafely(work: () => Promise<Trouble[]>): Promise<Trouble[]> {
  try {
    return await work()
  } catch (error) {
    return [{ kind: 'repository', subject: 'files', ...diagnose(error, REMEDIES.repository) }]
  }
}

type Check = () => Trouble[] | Promise<Trouble[]>

/** The checks of every repository. */
function checksOf(gitdir: string, form: FormCheck, lender?: string): readonly Check[] {
  return [
    () => form.check(gitdir, lender),
    () => checkFolders(gitdir),
    () => checkLocks(gitdir),
    () => checkPackedRefs(gitdir),
    () => checkPacks(gitdir),
    () => checkDerived(gitdir),
  ]
}

async function runChecks(checks: readonly Check[]): Promise<Trouble[]> {
  const found: Trouble[] = []
  for (const check of checks) {
    found.push(...(await check()))
    await nextTurn()
  }
  return found
}

function checkLocks(gitdir: string): Trouble[] {
  const branches = branchesOf(gitdir).map((request) => `refs/heads/${request}.lock`)
  return [...LOCKS, ...branches]
    .filter((name) => isStale(join(gitdir, name)))
    .map((name) => ({
      kind: 'lock',
      subject: name,
      what: `${name} is older than git keeps a lock: writes that need it fail`,
      remedy: 'Remove it once no git process works on the repository: docs/repair.md, "Locks".',
    }))
}

function isStale(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat !== undefined && Date.now() - stat.mtimeMs > STALE_LOCK_MS && !isHeldByUs(path)
}

function checkPackedRefs(gitdir: string): Trouble[] {
  const isFolder = statSync(join(gitdir, 'packed-refs'), { throwIfNoEntry: false })?.isDirectory() === true
  const broken = findBrokenPackedRef(gitdir)
  if (broken === undefined && !isFolder) return []
  const what = isFolder
    ? 'packed-refs is a folder'
    : `packed-refs has a line that is not a ref: ${JSON.stringify(broken)}`
  return [{ kind: 'repository', subject: 'packed-refs', what, remedy: REMEDY.packedRefs }]
}

async function checkPacks(gitdir: string): Promise<Trouble[]> {
  const found: Trouble[] = []
  try {
    for (const { name, reason } of findBrokenPacks(gitdir)) {
      if (reason === PACK_GONE && (await isIndexSpare(gitdir, name))) continue
      const what = `objects/pack/${name} is damaged: ${reason}`
      found.push({ kind: 'object', subject: name, what, remedy: REMEDY.pack })
    }
    return found
  } catch (error) {
    return [{ kind: 'repository', subject: 'packs', ...diagnose(error, REMEDY.form) }]
  }
}

/** Checks files that git derives from the objects. Our own reader does not use them, but a bad one makes git's commands fail. */
function checkDerived(gitdir: string): Trouble[] {
  return Object.entries(DERIVED).flatMap(([name, magic]): Trouble[] => {
    const start = startOf(join(gitdir, name), magic.length)
    if (start === undefined || start === magic) return []
    const what = `${name} has a wrong header: git's own commands may fail`
    return [{ kind: 'repository', subject: name, what, remedy: REMEDY.derived }]
  })
}

/** Reads the first bytes of a file; empty if it cannot be read, undefined if it is missing. */
function startOf(path: string, length: number): string | undefined {
  try {
    const fd = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(length)
      return bytes.toString('latin1', 0, readSync(fd, bytes, 0, length, 0))
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : ''
  }
}

function checkHead(gitdir: string, siteId: string): Trouble[] {
  let head: string | undefined
  try {
    head = readRef(gitdir, MAIN)
  } catch (error) {
    return [{ kind: 'repository', subject: 'main', ...diagnose(error, REMEDY.main) }]
  }
  if (head === undefined) {
    return [{ kind: 'repository', subject: 'main', what: 'there is no main branch', remedy: REMEDY.main }]
  }
  const odb = new ObjectDatabase(gitdir, { cacheBytes: CACHE_BYTES })
  try {
    const { tree } = odb.readCommit(head)
    assertOwnTree(odb, tree, siteId)
    return []
  } catch (error) {
    if (error instanceof OtherSitesRepository) {
      return [{ kind: 'repository', subject: 'site', what: error.message, remedy: REMEDY.otherSite }]
    }
    return [{ ...objectTrouble(error), subject: 'head' }]
  } finally {
    odb.close()
  }
}

/** Reads the newest commit of each branch with its root folder. */
function checkBranches(gitdir: string, lender: string): Trouble[] {
  const odb = new ObjectDatabase(gitdir, { cacheBytes: CACHE_BYTES, lender })
  try {
    return branchesOf(gitdir).flatMap((request) => checkBranch(gitdir, odb, `refs/heads/${request}`))
  } finally {
    odb.close()
  }
}

function checkBranch(gitdir: string, odb: ObjectDatabase, name: string): Trouble[] {
  try {
    const head = readRef(gitdir, name)
    if (head !== undefined) odb.readTree(odb.readCommit(head).tree)
    return []
  } catch (error) {
    if (error instanceof RepositoryInvalid)
      return [{ kind: 'repository', subject: name, ...diagnose(error, REMEDY.branch) }]
    return [{ ...objectTrouble(error), subject: name }]
  }
}

function checkLost(gitdir: string): Trouble[] {
  return listRefs(gitdir, LOST).map((ref) => ({
    kind: 'history',
    subject: ref,
    what: `main lost commits: the old tip is kept as ${ref}`,
    remedy: `Compare with "git log main..${ref}", put back what is missing, then: git update-ref -d ${ref}`,
  }))
}
