// `fetch` for commands: waits as long as a busy service asks for, a few times; refuses a web page as an answer.

import { setTimeout as wait } from 'node:timers/promises'
import { Refusal } from '../../client/client.js'

const MAX_TRIES = 4
const MAX_WAIT_SECONDS = 30
/** For one try: as long as the service grants a request by default. */
const MAX_ANSWER_MS = 120_000

/**
 * Sends the request again after a 503 with `Retry-After`. The request must be safe to send twice.
 * Throws Refusal for a web page.
 */
export async function patientFetch(request: Request): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(request.clone(), { signal: AbortSignal.timeout(MAX_ANSWER_MS) })
    const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
    const again = response.status === 503 && seconds <= MAX_WAIT_SECONDS && tries < MAX_TRIES
    if (response.ok && response.headers.get('Content-Type')?.includes('html')) throw new Refusal(response, undefined)
    if (!again) return response
    await response.body?.cancel()
    await wait(seconds * 1000)
  }
}
