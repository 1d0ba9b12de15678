// What a process and all its descendants use, as Linux tells it.

import { readdirSync, readFileSync } from 'node:fs'

const MIB = 1024 * 1024
/** Linux counts CPU time in hundredths of a second for every program. */
const TICKS_PER_SECOND = 100

/** Memory that is theirs; what processes share counts once, divided among them (PSS). */
export function memoryMibOf(root: number): number {
  let kib = 0
  for (const pid of treeOf(root)) kib += Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)
  return (kib * 1024) / MIB
}

/** CPU seconds so far, with those of descendants that have ended. */
export function cpuSecondsOf(root: number): number {
  let ticks = 0
  for (const pid of treeOf(root)) {
    const fields = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? []
    // utime, stime, and the same of children that were waited for: proc(5) counts them from 14, and `fields` begins at 3.
    ticks += fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  }
  return ticks / TICKS_PER_SECOND
}

/** The process and all its descendants. */
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

/** Processes end at any moment. */
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
