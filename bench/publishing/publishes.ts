// Publishes by many clients at once, from a process of their own.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const PUBLISH_LOAD = fileURLToPath(new URL('./publish-load.js', import.meta.url))

export interface Publishes {
  key: string
  /** Of each writer in turn: the port of the service, and after a slash the site's id, if it is not the default one. */
  targets: readonly string[]
  writers: number
  /** It ends after so many, or after so long. */
  writes: number
  seconds?: number
  prefix: string
  /** That are replaced again and again. */
  pages: number
}

/** How many were answered a second. */
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
