// Makes a group of processes with a memory limit that the kernel enforces.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const LIMIT_1 = 'memory.limit_in_bytes'
/** Mount point of the memory controller, the file with the limit, and the one that counts kills: cgroup version 2, then 1. */
const CONTROLLERS = [
  { folder: '/sys/fs/cgroup', mark: 'cgroup.controllers', limit: 'memory.max', events: 'memory.events' },
  { folder: '/sys/fs/cgroup/memory', mark: LIMIT_1, limit: LIMIT_1, events: 'memory.oom_control' },
]

export interface MemoryGroup {
  /** Put before a command, runs it in the group. */
  enter: readonly string[]
  /** Number of its processes that the kernel has killed for lack of memory. */
  killed(): number
  /** Removes the group; its processes must have ended. */
  remove(): void
}

/** Returns undefined if such a group cannot be made. */
export function makeMemoryGroup(limitBytes: number): MemoryGroup | undefined {
  const controller = CONTROLLERS.find(({ folder, mark }) => existsSync(join(folder, mark)))
  if (controller === undefined) return undefined
  const group = join(controller.folder, `palimpsest-bench-${process.pid}`)
  try {
    mkdirSync(group)
  } catch {
    return undefined
  }
  try {
    writeFileSync(join(group, controller.limit), String(limitBytes))
  } catch {
    execFileSync('rmdir', [group])
    return undefined
  }
  return {
    enter: ['sh', '-c', `echo $$ > ${group}/cgroup.procs && exec "$@"`, 'sh'],
    killed: () => Number(/^oom_kill (\d+)/m.exec(readFileSync(join(group, controller.events), 'utf8'))?.[1] ?? 0),
    remove: () => rmdirSync(group),
  }
}
