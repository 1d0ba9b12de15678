// Watches the connection to the service. While it is lost, a cheap request finds out when it is back, and then the screen loads what it lacks.

import { useSyncExternalStore } from 'preact/compat'

/** A request that nothing answered. */
export class Unreachable extends Error {
  override name = 'Unreachable'
  constructor(cause?: unknown) {
    super('The service cannot be reached. Check the connection and try again.', { cause })
  }
}

export interface Lost {
  /** The time of the next attempt, in milliseconds; undefined while one runs. */
  retryAt: number | undefined
}

/** The pauses between attempts, in seconds. The last one repeats. */
const PAUSES_S = [1, 2, 4, 8, 15, 30]
/** A request that is silent for so long counts as lost. */
const SILENT_MS = 10_000
/** The statuses that a proxy answers for a service that is silent. The service itself never answers them. */
const ANSWERS_OF_PROXIES: ReadonlySet<number> = new Set([502, 504])

const events = new EventTarget()
let lost: Lost | undefined
let attempts = 0
let timer: ReturnType<typeof setTimeout> | undefined
let hasMissedStep = false

/** Returns the answer of the service. Throws `Unreachable`, and begins to wait for the connection. */
export async function overConnection(answer: Promise<Response>): Promise<Response> {
  const response = await answer.catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw reportLost(error)
  })
  if (ANSWERS_OF_PROXIES.has(response.status)) throw reportLost()
  return response
}

/** Begins to wait for the connection. Returns the error for whoever asked for more. */
export function reportLost(cause?: unknown): Unreachable {
  if (lost === undefined) schedule()
  return new Unreachable(cause)
}

/** Remembers that a step of the person was lost. The bar asks to repeat it once the connection is back. */
export function noteMissedStep(): void {
  hasMissedStep = true
}

/** Calls the listener each time the connection comes back. Returns a function that removes the listener. */
export function whenBack(listener: (hasMissed: boolean) => void): () => void {
  const hear = (event: Event) => listener((event as CustomEvent<boolean>).detail)
  events.addEventListener('back', hear)
  return () => events.removeEventListener('back', hear)
}

/** Returns what is known while the connection is lost; undefined otherwise. */
export function useLost(): Lost | undefined {
  return useSyncExternalStore(subscribe, () => lost)
}

/** Tries at once. */
export async function tryNow(): Promise<void> {
  clearTimeout(timer)
  if (lost !== undefined) set({ retryAt: undefined })
  if (!(await isReachable())) schedule()
  else if (lost !== undefined) comeBack()
}

/** Listens to the browser, which may know of the network first. Returns a function that ends it. */
export function watchNetwork(): () => void {
  const look = () => void tryNow()
  for (const type of ['online', 'offline']) addEventListener(type, look)
  return () => {
    for (const type of ['online', 'offline']) removeEventListener(type, look)
  }
}

export async function isReachable(): Promise<boolean> {
  try {
    const { ok } = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(SILENT_MS) })
    return ok
  } catch {
    return false
  }
}

function schedule(): void {
  const pause = (PAUSES_S[Math.min(attempts, PAUSES_S.length - 1)] ?? 1) * 1000
  attempts += 1
  clearTimeout(timer)
  timer = setTimeout(() => void tryNow(), pause)
  set({ retryAt: Date.now() + pause })
}

function comeBack(): void {
  attempts = 0
  const hadMissed = hasMissedStep
  hasMissedStep = false
  set(undefined)
  events.dispatchEvent(new CustomEvent('back', { detail: hadMissed }))
}

function set(next: Lost | undefined): void {
  lost = next
  events.dispatchEvent(new Event('changed'))
}

function subscribe(onChange: () => void): () => void {
  events.addEventListener('changed', onChange)
  return () => events.removeEventListener('changed', onChange)
}
