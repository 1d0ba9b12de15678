// What is wrong with a site's repository, as far as it shows without reading it whole: its form and settings, locks, main,
// the ends of its packs, the head with its first folder, and what main lost. Every finding says what to do about it.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { ObjectDatabase } from '../../../git/storage/object-database.js'
import { findBrokenPacks } from '../../../git/storage/pack-pairs.js'
import { findBrokenPackedRef, listRefs, readRef } from '../../../git/repository/ref.js'
import { MAIN } from '../../format/main-ref.js'
import type { FormCheck } from './form-check.js'
import { assertOwnTree, OtherSitesRepository } from '../../format/site-identity.js'
import { objectTrouble, REMEDY, type Trouble, wordsOf } from '../../protocol/trouble.js'

const LOST = 'refs/palimpsest/lost/'
/** git holds these for milliseconds, on a machine that is overloaded for seconds. */
const STALE_LOCK_MS = 30_000
const LOCKS = ['refs/heads/main.lock', 'packed-refs.lock', 'HEAD.lock', 'config.lock']
/** The head's commit and first folder, no more. */
const CACHE_BYTES = 1024 * 1024

/** Throws where the files cannot be read. */
export function inspectRepository(gitdir: string, siteId: string, form: FormCheck): Trouble[] {
  return [
    ...form.check(gitdir),
    ...checkLocks(gitdir),
    ...checkPackedRefs(gitdir),
    ...checkPacks(gitdir),
    ...checkHead(gitdir, siteId),
    ...checkLost(gitdir),
  ]
}

function checkLocks(gitdir: string): Trouble[] {
  return LOCKS.filter((name) => isStale(join(gitdir, name))).map((name) => ({
    kind: 'lock',
    subject: name,
    what: `${name} has been there for longer than git holds it: nothing that needs it can be written`,
    remedy: 'Remove it once no git process works on the repository: docs/repair.md, "Locks".',
  }))
}

function isStale(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat !== undefined && Date.now() - stat.mtimeMs > STALE_LOCK_MS
}

function checkPackedRefs(gitdir: string): Trouble[] {
  const broken = findBrokenPackedRef(gitdir)
  if (broken === undefined) return []
  const what = `packed-refs has a line that is no ref: ${JSON.stringify(broken)}`
  return [{ kind: 'repository', subject: 'packed-refs', what, remedy: REMEDY.packedRefs }]
}

function checkPacks(gitdir: string): Trouble[] {
  try {
    return findBrokenPacks(gitdir).map(({ name, reason }) => ({
      kind: 'object',
      subject: name,
      what: `objects/pack/${name} is damaged: ${reason}`,
      remedy: REMEDY.pack,
    }))
  } catch (error) {
    return [{ kind: 'repository', subject: 'packs', what: wordsOf(error), remedy: REMEDY.form }]
  }
}

function checkHead(gitdir: string, siteId: string): Trouble[] {
  let head: string | undefined
  try {
    head = readRef(gitdir, MAIN)
  } catch (error) {
    return [{ kind: 'repository', subject: 'main', what: wordsOf(error), remedy: REMEDY.main }]
  }
  if (head === undefined) {
    return [{ kind: 'repository', subject: 'main', what: 'there is no main branch', remedy: REMEDY.main }]
  }
  const odb = new ObjectDatabase(gitdir, { cacheBytes: CACHE_BYTES })
  try {
    const { tree } = odb.readCommit(head)
    odb.readTree(tree)
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

function checkLost(gitdir: string): Trouble[] {
  return listRefs(gitdir, LOST).map((ref) => ({
    kind: 'history',
    subject: ref,
    what: `main lost commits: the old tip is kept as ${ref}`,
    remedy: `Compare with "git log main..${ref}", put back what is missing, then: git update-ref -d ${ref}`,
  }))
}
