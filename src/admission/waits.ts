// Names the places where a request may wait, and measures the time that the current request has waited at each. Each name has a row in
// docs/architecture.md, "Where a request may wait".

import { AsyncLocalStorage } from 'node:async_hooks'

export const WAITS = [
  'body',
  'database',
  'disk',
  'index',
  'memory',
  'provider',
  'queue',
  'streams',
  'tasks',
  'turn',
] as const

export type Wait = (typeof WAITS)[number]
/** Milliseconds at each place. */
export type Waits = Partial<Record<Wait, number>>

const ofRequest = new AsyncLocalStorage<Waits>()

/** Requests whose waits are counted now. */
let running = 0

/** Runs the work for a request, and adds all its waits to `waits`. */
export async function countWaits<T>(waits: Waits, work: () => Promise<T>): Promise<T> {
  running += 1
  try {
    return await ofRequest.run(waits, work)
  } finally {
    running -= 1
    // As long as it is on, Node 20 follows every promise and callback of the process: a hosted page costs a tenth more.
    if (running === 0) ofRequest.disable()
  }
}

/** Adds to the waits of the current request; does nothing outside of a request. */
export function noteWaits(more: Waits): void {
  const waits = ofRequest.getStore()
  if (waits === undefined) return
  for (const name of WAITS) if (more[name] !== undefined) waits[name] = (waits[name] ?? 0) + more[name]
}

/** Awaits the promise, and notes the time taken. */
export async function waited<T>(name: Wait, promise: Promise<T>): Promise<T> {
  const began = performance.now()
  try {
    return await promise
  } finally {
    noteWaits({ [name]: performance.now() - began })
  }
}
