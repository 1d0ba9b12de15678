// How the memory for representations is divided.

import type { Config } from './config.js'

/** Bytes of representations that each of the processes that serve hosted sites keeps in memory. */
export function cacheBytesOf({ limits, workers }: Config): number {
  return Math.floor(limits.cacheBytes / Math.max(workers, 1))
}
