// Reads the memory and CPU time of a process and all its descendants, as Linux reports them.

import { readdirSync, readFileSync } from 'node:fs'

const MIB = 1024 * 1024
/** Linux reports CPU time to programs in hundredths of a second. */
const TICKS_PER_SECOND = 100

/** Returns their memory. Shared memory counts once, divided among the processes that share it (PSS). */
export function memoryMibOf(root: number): number {
  let kib = 0
  for (const pid of treeOf(root)) kib += Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)
  return (kib * 1024) / MIB
}

/** Returns the CPU seconds so far, including those of ended descendants. */
export function cpuSecondsOf(root: number): number {
  let ticks = 0
  for (const pid of treeOf(root)) {
    const fields = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? []
    // utime, stime, and the same of children that were waited for: fields 14 to 17 of proc(5); `fields` begins with field 3.
    ticks += fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  }
  return ticks / TICKS_PER_SECOND
}

/** Lists the process and all its descendants. */
export function treeOf(root: number): number[] {
  const found = [root]
  for (const pid of found) {
    for (const thread of list(`/proc/${pid}/task`)) {
      const children = read(`/proc/${pid}/task/${thread}/children`).trim()
      if (children !== '') found.push(...children.split(' ').map(Number))
    }
  }
  return found
}

/** Returns an empty text for a process that has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
