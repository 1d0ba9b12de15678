// The places where a request may wait, by name, and how long the request at work has waited at each.
// docs/architecture.md ("Where a request may wait") has a row for each name.

import { AsyncLocalStorage } from 'node:async_hooks'

export const WAITS = [
  'body',
  'database',
  'disk',
  'index',
  'lock',
  'memory',
  'provider',
  'push',
  'queue',
  'reader',
  'streams',
  'tasks',
  'turn',
] as const

export type Wait = (typeof WAITS)[number]
/** Milliseconds at each place. */
export type Waits = Partial<Record<Wait, number>>

const ofRequest = new AsyncLocalStorage<Waits>()

/** Runs the work for a request; all that it waits meanwhile is added to `waits`. */
export function countWaits<T>(waits: Waits, work: () => T): T {
  return ofRequest.run(waits, work)
}

/** Adds to the waits of the request at work; nothing where none is. */
export function noteWaits(more: Waits): void {
  const waits = ofRequest.getStore()
  if (waits === undefined) return
  for (const name of WAITS) if (more[name] !== undefined) waits[name] = (waits[name] ?? 0) + more[name]
}

/** Awaits the promise, and notes how long that took. */
export async function waited<T>(name: Wait, promise: Promise<T>): Promise<T> {
  const began = performance.now()
  try {
    return await promise
  } finally {
    noteWaits({ [name]: performance.now() - began })
  }
}
