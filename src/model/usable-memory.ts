// How much memory the process may use. Caches take a share of it.

import { totalmem } from 'node:os'

/** Bytes: the machine's memory, or what the control group is held to where that is less. */
export function usableMemory(): number {
  const held = process.constrainedMemory()
  return held > 0 ? Math.min(held, totalmem()) : totalmem()
}
