// Refs, shared with git itself: read from the files backend, moved under git's own lock, durable when a move returns.

import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { cleanIdentityName, type Identity } from './commit.js'
import { syncDirectory, writeFileDurable } from './durable.js'
import { OutcomeUnknown, RefLocked, RefMoved, RepositoryInvalid } from './errors.js'
import type { Oid } from './oid.js'

const ZERO: Oid = '0'.repeat(40)
const SCRATCH = 'palimpsest'
const LOCK_FILE = /^lock-[0-9a-f]+$/
const LOCK_POLL_MS = 5
const TORN_READS = 5

/** One reflog line: who moved the ref, and why. */
export interface RefLog {
  committer: Identity
  message: string
}

/** A ref whose lock we hold: nobody, git included, moves it until `commit` or `release`. */
export interface LockedRef {
  read(): Oid | undefined
  /** Moves the ref and lets go of the lock. Throws OutcomeUnknown when the move happened and could not be synced. */
  commit(next: Oid, log: RefLog): void
  /** Lets go without a move; after `commit` it does nothing. */
  release(): void
}

/** The oid a full ref name points to; undefined when there is no such ref. Throws RepositoryInvalid when it holds no oid. */
export function readRef(gitdir: string, name: string): Oid | undefined {
  for (let attempt = 0; ; attempt++) {
    const text = readIfThere(join(gitdir, name))
    if (text === undefined) return readPackedRef(gitdir, name)
    const oid = text.trim()
    if (/^[0-9a-f]{40}$/.test(oid)) return oid
    // Others may write refs in place: an empty one is looked at again before it counts as broken.
    if (attempt === TORN_READS) throw new RepositoryInvalid(`${name} does not hold an object id`)
    sleep(1)
  }
}

/** Takes git's lock of a ref. Throws RefLocked when another holds it for longer than `waitMs`. */
export function lockRef(gitdir: string, name: string, waitMs = 0): LockedRef {
  const lockPath = join(gitdir, `${name}.lock`)
  const ours = takeLock(gitdir, name, lockPath, waitMs)
  let held = true
  const release = () => {
    if (!held) return
    held = false
    rmSync(lockPath, { force: true })
    rmSync(ours, { force: true })
  }
  return {
    read: () => readRef(gitdir, name),
    release,
    commit(next, log) {
      const before = readRef(gitdir, name)
      const prepared = join(gitdir, SCRATCH, `ref-${randomBytes(8).toString('hex')}`)
      writeFileDurable(prepared, Buffer.from(`${next}\n`))
      try {
        renameSync(prepared, join(gitdir, name))
      } catch (error) {
        rmSync(prepared, { force: true })
        throw error
      }
      try {
        syncDirectory(dirname(join(gitdir, name)))
      } catch (error) {
        throw new OutcomeUnknown(name, error)
      } finally {
        appendLog(gitdir, name, before, next, log)
        release()
      }
    },
  }
}

/**
 * Moves a ref from `expected` (undefined: it must not exist) to `next` under git's lock.
 * Throws RefMoved with what was found instead, RefLocked, or OutcomeUnknown.
 */
export function moveRef(
  gitdir: string,
  name: string,
  expected: Oid | undefined,
  next: Oid,
  log: RefLog,
  waitMs = 0,
): void {
  const locked = lockRef(gitdir, name, waitMs)
  try {
    const found = locked.read()
    if (found !== expected) throw new RefMoved(name, found)
    locked.commit(next, log)
  } finally {
    locked.release()
  }
}

/** After a crash: removes a lock that is a link to a file of ours, and never one that git holds. */
export function removeStaleLock(gitdir: string, name: string): void {
  const lockPath = join(gitdir, `${name}.lock`)
  const lock = statSync(lockPath, { throwIfNoEntry: false })
  for (const file of readdirSync(join(gitdir, SCRATCH)).filter((entry) => LOCK_FILE.test(entry))) {
    const path = join(gitdir, SCRATCH, file)
    if (lock !== undefined && statSync(path).ino === lock.ino) rmSync(lockPath, { force: true })
    rmSync(path, { force: true })
  }
}

/** A link from a file of ours: it exists or not, like git's O_EXCL, and after a crash its inode says that it is ours. */
function takeLock(gitdir: string, name: string, lockPath: string, waitMs: number): string {
  const ours = join(gitdir, SCRATCH, `lock-${randomBytes(8).toString('hex')}`)
  mkdirSync(dirname(ours), { recursive: true })
  writeFileSync(ours, '')
  const deadline = performance.now() + waitMs
  for (;;) {
    try {
      linkSync(ours, lockPath)
      return ours
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') {
        // git removes empty folders when it packs refs.
        mkdirSync(dirname(lockPath), { recursive: true })
        continue
      }
      if (code === 'EEXIST' && performance.now() < deadline) {
        sleep(LOCK_POLL_MS)
        continue
      }
      rmSync(ours, { force: true })
      if (code === 'EEXIST') throw new RefLocked(name)
      throw error
    }
  }
}

function readPackedRef(gitdir: string, name: string): Oid | undefined {
  const packed = readIfThere(join(gitdir, 'packed-refs'))
  const line = packed?.split('\n').find((candidate) => candidate.endsWith(` ${name}`))
  // pack-refs writes the file before it removes the loose ref, so what is in neither may just have been made loose.
  return line?.slice(0, 40) ?? readIfThere(join(gitdir, name))?.trim()
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

/** The reflog helps operators; a full disk must not turn a publication into a failure because of it. */
function appendLog(
  gitdir: string,
  name: string,
  before: Oid | undefined,
  next: Oid,
  { committer, message }: RefLog,
): void {
  const path = join(gitdir, 'logs', name)
  const who = `${cleanIdentityName(committer.name)} <${committer.email}> ${committer.time} ${committer.offset ?? '+0000'}`
  const line = `${before ?? ZERO} ${next} ${who}\t${message.replace(/\s+/g, ' ')}\n`
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

/** Blocks the writer thread; it holds nothing that others wait for but the site's own queue. */
function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
