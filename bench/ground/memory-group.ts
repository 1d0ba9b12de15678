// A group of processes that the kernel holds to a limit of memory.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const LIMIT_1 = 'memory.limit_in_bytes'
/** Where the memory controller is mounted, the file that holds the limit, and the one that counts kills: cgroup version 2, then 1. */
const CONTROLLERS = [
  { folder: '/sys/fs/cgroup', mark: 'cgroup.controllers', limit: 'memory.max', events: 'memory.events' },
  { folder: '/sys/fs/cgroup/memory', mark: LIMIT_1, limit: LIMIT_1, events: 'memory.oom_control' },
]

export interface MemoryGroup {
  /** What runs a command in it: put before the command. */
  enter: readonly string[]
  /** How many of its processes the kernel has killed for want of memory. */
  killed(): number
  /** Its processes must have ended. */
  remove(): void
}

/** Undefined where such a group cannot be made. */
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
