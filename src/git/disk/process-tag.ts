// Names the process that made a file by its id, its start, the boot of the machine and the PID namespace. So a reused id,
// here or in another container, is not taken for the maker.

import { lstatSync, readFileSync, readlinkSync } from 'node:fs'

/** A tag in a file name. Tags of earlier versions name no PID namespace. */
export const TAG_PATTERN = String.raw`\d+\.\d+\.[0-9a-f]*(?:\.\d+)?`
const TAG = /^(\d+)\.(\d+)\.([0-9a-f]*)(?:\.(\d+))?$/
const BOOT_ID = readText('/proc/sys/kernel/random/boot_id')?.slice(0, 8) ?? ''
const NAMESPACE = namespaceId()
/** Time for which a file counts as used by a process of another PID namespace. Locks are held for milliseconds. */
const MAX_IDLE_MS = 60_000

/** This process, as part of a file name: `<pid>.<start>.<boot>.<PID namespace>`; without /proc `<pid>.0..0`. */
export const PROCESS_TAG = `${process.pid}.${startOf(process.pid) ?? 0}.${BOOT_ID}.${NAMESPACE}`

/**
 * Whether another process that may still run made the file at `path`, which has this tag. Processes of another PID namespace
 * cannot be seen: such a file counts for `maxIdleMs` after it was last written, linked or unlinked. Text that is not a tag
 * belongs to no process.
 */
export function isOfAnotherProcess(tag: string, path: string, maxIdleMs = MAX_IDLE_MS): boolean {
  const [, pid, start, boot, namespace = NAMESPACE] = TAG.exec(tag) ?? []
  if (pid === undefined || tag === PROCESS_TAG || boot !== BOOT_ID) return false
  if (namespace !== NAMESPACE) return idleMs(path) < maxIdleMs
  if (start === '0') return isRunning(Number(pid))
  return startOf(Number(pid)) === start
}

/** Returns the time since the inode of a file last changed; infinite if the file is gone. */
function idleMs(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat === undefined ? Number.POSITIVE_INFINITY : Date.now() - stat.ctimeMs
}

/** Returns clock ticks since the boot, from proc(5)'s `stat`. The second field may hold any text, so fields are counted from its end. */
function startOf(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

/** Returns the number in `pid:[4026531836]` (pid_namespaces(7)); 0 without /proc. */
function namespaceId(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0'
  } catch {
    return '0'
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
}

/** Whether a process has this id. */
export function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
