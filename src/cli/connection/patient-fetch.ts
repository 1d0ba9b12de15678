// fetch as a command wants it: it waits as long as the service asks for, a few times, and never for ever.

import { setTimeout as wait } from 'node:timers/promises'

const MOST_TRIES = 4
const LONGEST_WAIT_SECONDS = 30
/** For one try; as long as the service gives a request. */
const ANSWER_LIMIT_MS = 120_000

/** Asks again after a 503 that says when. What is sent so must be safe to send twice. */
export async function patientFetch(request: Request): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(request.clone(), { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
    const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
    const again = response.status === 503 && seconds <= LONGEST_WAIT_SECONDS && tries < MOST_TRIES
    if (!again) return response
    await response.body?.cancel()
    await wait(seconds * 1000)
  }
}
