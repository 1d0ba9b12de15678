// Remembers where a person goes on after signing in: to the consent that a program asked for. Signing in may happen in another tab.

const NAME = 'return-path'
/** The request of a program is over by then. */
const KEPT_MS = 3_600_000

export function keepReturnPath(path: string): void {
  localStorage.setItem(NAME, JSON.stringify({ path, until: Date.now() + KEPT_MS }))
}

/** Returns the path once; undefined if there is none. */
export function takeReturnPath(): string | undefined {
  const kept = localStorage.getItem(NAME)
  localStorage.removeItem(NAME)
  if (kept === null) return undefined
  const { path, until } = JSON.parse(kept) as { path?: unknown; until?: unknown }
  const isValid = typeof path === 'string' && /^\/consent\/[\w-]+$/.test(path) && Number(until) > Date.now()
  return isValid ? path : undefined
}
