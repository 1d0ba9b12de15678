// Which process made a file: its id, when it started, and the boot it runs under, so that an id used again is told apart.

import { readFileSync } from 'node:fs'

const TAG = /^(\d+)\.(\d+)\.([0-9a-f]*)$/

/** This process, as part of a file name: `<pid>.<start>.<boot>`. The last two are 0 and empty where there is no /proc. */
export const PROCESS_TAG = `${process.pid}.${startOf(process.pid) ?? 0}.${bootId()}`

/** Whether another process that still runs made this tag. Text that is no tag is nobody's. */
export function isOfAnotherProcess(tag: string): boolean {
  const [, pid, start, boot] = TAG.exec(tag) ?? []
  if (pid === undefined || tag === PROCESS_TAG || boot !== bootId()) return false
  if (start === '0') return isRunning(Number(pid))
  return startOf(Number(pid)) === start
}

/** Clock ticks since the boot, from proc(5)'s `stat`; the second field may hold anything, so fields are counted from its end. */
function startOf(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

function bootId(): string {
  return readText('/proc/sys/kernel/random/boot_id')?.slice(0, 8) ?? ''
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
