// Reads values of the environment that more than one file needs.

import type { Environment } from './schema.js'

const DEFAULT_RECEIVE_BYTES = 64 * 1024 * 1024

export function maxBodyBytesOf(env: Environment): number {
  return env.MAX_BODY_BYTES ?? 3 * env.MAX_HTML_BYTES + 65_536
}

/** Returns the smallest RECEIVE_BYTES. One workspace gets at most half of it, and that half must hold the longest body. */
export function leastReceiveBytesOf(env: Environment): number {
  return 2 * maxBodyBytesOf(env)
}

export function receiveBytesOf(env: Environment): number {
  return env.RECEIVE_BYTES ?? Math.max(DEFAULT_RECEIVE_BYTES, leastReceiveBytesOf(env))
}

/** Splits items separated by commas, in lower case. */
export function listOf(text = ''): string[] {
  return text
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter(Boolean)
}
