// A group of processes that the kernel holds to a limit of memory.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the memory controller is mounted, and the file that holds the limit: cgroup version 2, then 1. */
const CONTROLLERS = [
  { folder: '/sys/fs/cgroup', mark: 'cgroup.controllers', limit: 'memory.max' },
  { folder: '/sys/fs/cgroup/memory', mark: 'memory.limit_in_bytes', limit: 'memory.limit_in_bytes' },
]

export interface MemoryGroup {
  /** What runs a command in it: put before the command. */
  enter: readonly string[]
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
  return { enter: ['sh', '-c', `echo $$ > ${group}/cgroup.procs && exec "$@"`, 'sh'], remove: () => rmdirSync(group) }
}
