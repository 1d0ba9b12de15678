// The lock that keeps `git gc` and our maintenance apart: `gc.pid`, as git-gc takes and respects it (builtin/gc.c). It holds
// `<pid> <host>`, and counts while that process runs, for at most twelve hours.

import { readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isAbandoned } from './abandoned.js'
import { isRunning } from './process-tag.js'

const GC_LOCK = 'gc.pid'
/** Locks that this process holds. The id in a lock does not tell: an earlier process may have had the same, always 1 in a container. */
const held = new Set<string>()

/** Takes the lock and returns how to release it; undefined while a gc or another maintenance runs. */
export function lockGc(gitdir: string): (() => void) | undefined {
  const path = join(gitdir, GC_LOCK)
  if (held.has(path) || isHeldElsewhere(path)) return undefined
  removeIfThere(path)
  try {
    writeFileSync(path, `${process.pid} ${hostname()}`, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined
    throw error
  }
  held.add(path)
  return () => {
    held.delete(path)
    removeIfThere(path)
  }
}

function isHeldElsewhere(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined || isAbandoned(stat.mtimeMs)) return false
  try {
    const [pid = '', host] = readFileSync(path, 'latin1').trim().split(' ')
    return host !== hostname() || (Number(pid) !== process.pid && isRunning(Number(pid)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** Removes the lock. If that fails, it no longer counts once its process is gone. */
function removeIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // Usually there is none.
  }
}
