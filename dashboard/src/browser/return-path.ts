// Remembers where a person goes on after signing in: to the consent that a program asked for. Signing in may happen in another tab.

import { forget, keep, readKeptJson } from './storage.js'

const NAME = 'return-path'
/** The request of a program is over by then. */
const KEPT_MS = 3_600_000

export function keepReturnPath(path: string): void {
  keep(NAME, JSON.stringify({ path, until: Date.now() + KEPT_MS }))
}

/** Returns the path once; undefined if there is none. */
export function takeReturnPath(): string | undefined {
  const { path, until } = (readKeptJson(NAME) ?? {}) as { path?: unknown; until?: unknown }
  forget(NAME)
  const isValid = typeof path === 'string' && /^\/consent\/[\w-]+$/.test(path) && Number(until) > Date.now()
  return isValid ? path : undefined
}
