// What is wrong with a site's repository, as far as it shows without reading it whole: its form and settings, locks, main,
// the ends of its packs, the head with its first folder, and what main lost. Every finding says what to do about it.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { findChangedSettings } from '../../git/repository/config-file.js'
import { ObjectCorrupt, ObjectMissing, RepositoryInvalid } from '../../git/objects/errors.js'
import { ObjectDatabase } from '../../git/storage/object-database.js'
import { findBrokenPacks } from '../../git/storage/pack-pairs.js'
import { findBrokenPackedRef, listRefs, readRef } from '../../git/repository/ref.js'
import { hooksPathOf, verifyRepository } from '../../git/repository/repository.js'
import { ServiceError } from '../../model/errors.js'
import { MAIN } from '../format/main-ref.js'
import type { Trouble } from './troubles.js'

const LOST = 'refs/palimpsest/lost/'
/** git holds these for milliseconds. */
const STALE_LOCK_MS = 5000
const LOCKS = ['refs/heads/main.lock', 'packed-refs.lock', 'HEAD.lock', 'config.lock']
/** The head's commit and first folder, no more. */
const CACHE_BYTES = 1024 * 1024

const REMEDY = {
  form: 'Put back what is missing of its form, with git init: docs/repair.md, "Form"; if the folder is gone, "The whole repository".',
  settings: 'The service puts them back by itself within seconds; if it cannot, the reason is in its log.',
  main: 'The last line of logs/refs/heads/main names the commit that main was at: docs/repair.md, "Main".',
  packedRefs: 'Keep the lines that are refs: docs/repair.md, "Packed refs".',
  pack: 'Take the pack out, save what is left of it, and fetch the rest from a clone or a backup: docs/repair.md, "Objects".',
  object: 'Fetch the object from a clone or a backup: docs/repair.md, "Objects". If main names what never was: "Main".',
}

/** `form` checks HEAD, format and settings; who looks often may know the answer already. */
export function inspectRepository(gitdir: string, form = checkForm): Trouble[] {
  return [
    ...form(gitdir),
    ...checkLocks(gitdir),
    ...checkPackedRefs(gitdir),
    ...checkPacks(gitdir),
    ...checkHead(gitdir),
    ...checkLost(gitdir),
  ]
}

/** HEAD, format and settings. */
export function checkForm(gitdir: string): Trouble[] {
  try {
    const changed = findChangedSettings(verifyRepository(gitdir), hooksPathOf(gitdir))
    if (changed.length === 0) return []
    const names = changed.map(([name, value]) => `${name} must be ${value}`).join(', ')
    return [
      { kind: 'repository', subject: 'settings', what: `its settings were changed: ${names}`, remedy: REMEDY.settings },
    ]
  } catch (error) {
    return [{ kind: 'repository', subject: 'form', what: wordsOf(error), remedy: REMEDY.form }]
  }
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

function checkHead(gitdir: string): Trouble[] {
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
    odb.readTree(odb.readCommit(head).tree)
    return []
  } catch (error) {
    return [{ ...objectTrouble(error), subject: 'head' }]
  } finally {
    odb.close()
  }
}

/** The trouble that stands behind an error of a read or a write; undefined where it is none of the repository's. */
export function troubleOf(error: unknown): Trouble | undefined {
  if (error instanceof ServiceError) {
    if (error.code !== 'site_unreadable') return undefined
    return { kind: 'repository', subject: 'form', what: wordsOf(error.cause ?? error), remedy: REMEDY.form }
  }
  if (error instanceof ObjectMissing || error instanceof ObjectCorrupt) return objectTrouble(error)
  if (error instanceof RepositoryInvalid)
    return { kind: 'repository', subject: 'main', what: error.message, remedy: REMEDY.main }
  return undefined
}

function objectTrouble(error: unknown): Trouble {
  const oid = error instanceof ObjectMissing || error instanceof ObjectCorrupt ? error.oid : undefined
  return { kind: 'object', subject: oid ?? '', what: wordsOf(error), remedy: REMEDY.object }
}

function checkLost(gitdir: string): Trouble[] {
  return listRefs(gitdir, LOST).map((ref) => ({
    kind: 'history',
    subject: ref,
    what: `main lost commits: the old tip is kept as ${ref}`,
    remedy: `Compare with "git log main..${ref}", put back what is missing, then: git update-ref -d ${ref}`,
  }))
}

/** One line: causes that crossed a thread come with their stacks. */
function wordsOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1)
  return line
}
