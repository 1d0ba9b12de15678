// Refs, shared with git itself: read from the files backend, moved under git's own lock, durable when a move returns.

import { appendFileSync, existsSync, mkdirSync, readdirSync, renameSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cleanIdentityName, type Identity } from '../objects/commit.js'
import { syncDirectory, writeFileDurable } from '../disk/durable.js'
import { OutcomeUnknown, RefLocked, RefMoved, RepositoryInvalid } from '../objects/errors.js'
import type { Oid } from '../objects/oid.js'
import { ZERO_OID } from '../objects/ref-change.js'
import { linkOwner, removeOwed, removeQuietly, scratchPath, setAside } from '../disk/scratch.js'
import { PACKED_REFS, readIfThere, readPackedRef, readPackedRefs } from './packed-refs.js'

/** A ref that another program is writing in place can be empty for a moment. */
const MAX_TORN_READS = 5
/** File times are those of the kernel's last tick, 1 to 10 ms apart; some file systems store only whole or even seconds. */
const FINE_CLOCK_MS = 20
const COARSE_CLOCK_MS = 2020

/** One reflog line: the mover of the ref, and the reason. */
export interface RefLog {
  committer: Identity
  message: string
}

/** A ref whose lock we hold: no other program, git included, moves it until `commit` or `release`. */
export interface LockedRef {
  read(): Oid | undefined
  /** Moves the ref and releases the lock. Throws OutcomeUnknown if the move happened but could not be synced. */
  commit(next: Oid, log: RefLog): void
  /** Releases the lock without a move; does nothing after `commit`. */
  release(): void
}

/**
 * Reads the oid of a full ref name; undefined if there is no such ref. Throws RepositoryInvalid if it holds no oid after
 * `maxWaits` milliseconds, for which the thread is blocked.
 */
export function readRef(gitdir: string, name: string, maxWaits = MAX_TORN_READS): Oid | undefined {
  const path = join(gitdir, name)
  // git pack-refs writes packed-refs before it removes the loose ref. A ref found in neither may have become loose since.
  const read = () => readIfThere(path) ?? readPackedRef(gitdir, name) ?? readIfThere(path)
  return readOid(name, read, maxWaits)
}

/** Does the same for a ref that has a file of its own; undefined if it has none. */
export function readLooseRef(gitdir: string, name: string, maxWaits = MAX_TORN_READS): Oid | undefined {
  return readOid(name, () => readIfThere(join(gitdir, name)), maxWaits)
}

function readOid(name: string, read: () => string | undefined, maxWaits: number): Oid | undefined {
  for (let attempt = 0; ; attempt++) {
    const text = read()
    if (text === undefined) return undefined
    const oid = text.trim()
    if (/^[0-9a-f]{40}$/.test(oid)) return oid
    if (attempt === maxWaits) throw new RepositoryInvalid(`${name} does not hold an object id`)
    sleep(1)
  }
}

/**
 * Returns a mark that changes when the ref changes, at a tenth of the cost of reading it. It works since git and we move a ref by
 * renaming a new file over it, and packing renames a new `packed-refs`. Undefined if this cannot be told: for a moment after a move,
 * without such a ref, or if the disk does not answer. Every hosted page asks for it, so the path is concatenated without `join`.
 */
export function refMark(gitdir: string, name: string): string | undefined {
  try {
    const { ino, mtimeMs, ctimeMs } = statIfThere(`${gitdir}/${name}`) ?? statSync(`${gitdir}/${PACKED_REFS}`)
    return isSettled(Math.max(mtimeMs, ctimeMs)) ? `${ino} ${mtimeMs} ${ctimeMs}` : undefined
  } catch {
    return undefined
  }
}

/** Whether a file changed now would get another time than this one: a new file may reuse the inode of a removed one. */
function isSettled(changedAt: number): boolean {
  const clockMs = changedAt % 1000 === 0 ? COARSE_CLOCK_MS : FINE_CLOCK_MS
  return Date.now() - changedAt > clockMs
}

/** Lists full names of the refs directly below a folder of refs (`refs/x/`), loose or packed. */
export function listRefs(gitdir: string, folder: string): string[] {
  const loose = namesIn(join(gitdir, folder)).map((name) => `${folder}${name}`)
  return [...new Set([...loose, ...readPackedRefs(gitdir, folder).keys()])]
}

/** Throws RefLocked if another program holds the ref's lock now. Costs less than taking the lock. */
export function refuseLocked(gitdir: string, name: string): void {
  removeOwed()
  if (existsSync(`${join(gitdir, name)}.lock`)) throw new RefLocked(name)
}

/** Takes git's lock of a ref. Throws RefLocked if another program holds it. */
export function lockRef(gitdir: string, name: string): LockedRef {
  const path = join(gitdir, name)
  const lockPath = `${path}.lock`
  takeLock(gitdir, name, lockPath)
  let held = true
  const release = () => {
    if (held) removeQuietly(lockPath)
    held = false
  }
  let found: { oid: Oid | undefined } | undefined
  // The ref cannot move while we hold the lock, so it is read once.
  const read = () => (found ??= { oid: readRef(gitdir, name) }).oid
  return {
    read,
    release,
    commit(next, log) {
      const before = read()
      const prepared = scratchPath(gitdir, 'ref')
      let removeOld = () => undefined as void
      try {
        writeFileDurable(prepared, Buffer.from(`${next}\n`))
        removeOld = setAside(gitdir, path)
        renameSync(prepared, path)
      } catch (error) {
        removeQuietly(prepared)
        removeOld()
        throw error
      }
      // From here on the move has happened: it is published, and no error may say otherwise.
      try {
        syncDirectory(dirname(path))
      } catch (error) {
        throw new OutcomeUnknown(name, error)
      } finally {
        appendLog(gitdir, name, before, next, log)
        release()
        removeOld()
      }
    },
  }
}

/**
 * Moves a ref from `expected` (undefined: it must not exist) to `next` under git's lock.
 * Throws RefMoved with the oid found instead, RefLocked, or OutcomeUnknown.
 */
export function moveRef(gitdir: string, name: string, expected: Oid | undefined, next: Oid, log: RefLog): void {
  const locked = lockRef(gitdir, name)
  try {
    const found = locked.read()
    if (found !== expected) throw new RefMoved(name, found)
    locked.commit(next, log)
  } finally {
    locked.release()
  }
}

/** Takes the lock as a link to a file of ours: atomic, like git's O_EXCL, and known as ours after a crash. */
function takeLock(gitdir: string, name: string, lockPath: string): void {
  try {
    linkOwner(gitdir, lockPath)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? new RefLocked(name) : error
  }
}

/** Returns the stat of a file. A folder of that name holds other refs, so then the ref is packed. */
function statIfThere(path: string): Stats | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true ? stat : undefined
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.endsWith('.lock'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Appends to the reflog, which helps operators. A failure is ignored: a full disk must not fail a publication because of it. */
function appendLog(
  gitdir: string,
  name: string,
  before: Oid | undefined,
  next: Oid,
  { committer, message }: RefLog,
): void {
  const path = join(gitdir, 'logs', name)
  const who = `${cleanIdentityName(committer.name)} <${committer.email}> ${committer.time} ${committer.offset ?? '+0000'}`
  const line = `${before ?? ZERO_OID} ${next} ${who}\t${message.replace(/\s+/g, ' ')}\n`
  try {
    appendFileSync(path, line)
  } catch {
    try {
      mkdirSync(dirname(path), { recursive: true })
      appendFileSync(path, line)
    } catch {
      // Nothing depends on it.
    }
  }
}

/** Blocks the calling thread. */
function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
