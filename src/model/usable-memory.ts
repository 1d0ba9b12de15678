// The memory that the process may use. Caches take a share of it.

import { totalmem } from 'node:os'

/** Returns bytes: the machine's memory, or the limit of the control group if that is less. */
export function usableMemory(): number {
  const held = process.constrainedMemory()
  return held > 0 ? Math.min(held, totalmem()) : totalmem()
}
