// Publishes by many clients at once, from a separate process.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const PUBLISH_LOAD = fileURLToPath(new URL('./publish-load.js', import.meta.url))

export interface Publishes {
  key: string
  /** Targets of the writers, repeated: a port and, after a slash, the site's id unless it is the default one. */
  targets: readonly string[]
  writers: number
  /** The load ends after `writes` or after `seconds`. */
  writes: number
  seconds?: number
  prefix: string
  /** Number of pages that are replaced repeatedly. */
  pages: number
}

/** Returns the publishes answered per second. */
export async function publishesASecond({
  key,
  targets,
  writers,
  writes,
  seconds = Infinity,
  prefix,
  pages,
}: Publishes): Promise<number> {
  const args = [PUBLISH_LOAD, targets.join(), key, writers, writes, prefix, pages, seconds].map(String)
  return Number((await promisify(execFile)(process.execPath, args)).stdout)
}
