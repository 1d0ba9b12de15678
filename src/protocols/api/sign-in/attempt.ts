// Attempts to sign in, by callers who are not known yet: their bytes and their failures are limited by address.

import { refuseOver } from '../../../admission/admission.js'
import { RATES } from '../../../admission/rate-rows.js'
import type { Services } from '../../../usecases/context/services.js'
import { countedAddressOf } from '../../http/counted-address.js'
import { bodyRulesOf, readBody } from '../request/read-body.js'
import type { BodyReceiver } from '../request/receive-body.js'
import type { ApiContext } from '../request/request-state.js'
import { refuseCrossSite } from './session-cookie.js'

export interface AttemptParts {
  services: Services
  bodies: BodyReceiver
}

interface Attempt<B, T> {
  maxBytes: number
  /** Returns the body, or throws. */
  check: (body: unknown) => B
  run: (body: B) => Promise<T>
}

/** Reads a JSON body from one of the dashboard's own pages, and runs the attempt. Throws `too_many_requests` after many failures. */
export async function attempt<B, T>(
  ctx: ApiContext,
  { services, bodies }: AttemptParts,
  { maxBytes, check, run }: Attempt<B, T>,
): Promise<T> {
  refuseCrossSite(ctx.req, services.baseUrl)
  const holder = countedAddressOf(ctx.state.client ?? '')
  const failures = services.admission.rate('failed-sign-ins')
  refuseOver([await failures.peek(holder)], RATES['failed-sign-ins'].message)
  const taken = { html: false, maxJsonBytes: maxBytes }
  // Short enough to need no task: without a known caller, there is no workspace whose turn it could be.
  const rules = bodyRulesOf(services, '')
  const body = await bodies.during(ctx.req, holder, (receive) => readBody(ctx.req, receive, taken, rules))
  const checked = check(body.kind === 'json' ? body.value : undefined)
  try {
    return await run(checked)
  } catch (error) {
    await failures.take(holder)
    throw error
  }
}
