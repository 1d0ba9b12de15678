// The descriptors (open files and connections) that the process may have. What keeps files open, and connections, take a share of them.

import { readFileSync } from 'node:fs'

/** Some thirty holders, threads of several kinds of files, keep files open; each file of an index takes three descriptors. */
const SHARES_FOR_FILES = 64
const FEWEST_FILES = 2
const SHARES_FOR_CONNECTIONS = 4

/** Returns how many files one thread keeps open of one kind: `most`, or fewer where few descriptors may be open. */
export function filesToKeepOpen(most: number): number {
  return Math.max(FEWEST_FILES, Math.min(most, Math.floor(usableDescriptors() / SHARES_FOR_FILES)))
}

/** Returns how many connections may be open: `most`, or a quarter of all descriptors. */
export function connectionsToKeepOpen(most: number): number {
  return Math.min(most, Math.ceil(usableDescriptors() / SHARES_FOR_CONNECTIONS))
}

/** Returns the limit of the system (`ulimit -n`), which Node raises as far as it may; Infinity if the system does not tell. */
function usableDescriptors(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
