// The lock that keeps `git gc` and our maintenance apart: `gc.pid`, as git-gc takes and respects it (builtin/gc.c):
// it holds `<pid> <host>`, and counts for as long as that process runs, or for twelve hours on another host.

import { readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isRunning } from './process-tag.js'

const OF_ANOTHER_HOST_MS = 12 * 3600 * 1000

/** Takes the lock and returns how to let go of it; undefined while a gc or another maintenance is at work. */
export function lockGc(gitdir: string): (() => void) | undefined {
  const path = join(gitdir, 'gc.pid')
  if (isHeld(path)) return undefined
  try {
    unlinkSync(path)
  } catch {
    // The usual case: there is none.
  }
  try {
    writeFileSync(path, `${process.pid} ${hostname()}`, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined
    throw error
  }
  return () => {
    try {
      unlinkSync(path)
    } catch {
      // A lock whose process is gone counts for nobody.
    }
  }
}

function isHeld(path: string): boolean {
  try {
    const [pid = '', host] = readFileSync(path, 'latin1').trim().split(' ')
    if (host !== hostname()) return Date.now() - statSync(path).mtimeMs < OF_ANOTHER_HOST_MS
    return isRunning(Number(pid))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
