// How values of the environment are read, where more than one file needs it.

import type { Environment } from './schema.js'

export function maxBodyBytesOf(env: Environment): number {
  return env.MAX_BODY_BYTES ?? 3 * env.MAX_HTML_BYTES + 65_536
}

/** Items separated by commas, in lower case. */
export function listOf(text = ''): string[] {
  return text
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter(Boolean)
}
