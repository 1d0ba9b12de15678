// Reads values of the environment that more than one file needs.

import { MEMORY } from '../../admission/memory-rows.js'
import { DEFAULT_SIZES } from '../../admission/row.js'
import { maxBodyBytesOf } from '../../model/limits.js'
import type { Environment } from './schema.js'

/** Returns the smallest MEMORY_BYTES. One workspace gets at most half of the memory of requests, and that half must hold the longest body. */
export function leastMemoryBytesOf(env: Environment): number {
  const least = 2 * maxBodyBytesOf({ maxHtmlBytes: env.MAX_HTML_BYTES })
  return Math.ceil((least * 16) / MEMORY.requests.share)
}

export function memoryBytesOf(env: Environment): number {
  return env.MEMORY_BYTES ?? Math.max(DEFAULT_SIZES.memoryBytes, leastMemoryBytesOf(env))
}

/** Splits items separated by commas, in lower case. */
export function listOf(text = ''): string[] {
  return text
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter(Boolean)
}
