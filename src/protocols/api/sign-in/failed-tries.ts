// Limits strangers: failed tries to sign in, by address, and guests. All ways share one limit: links, passkeys, invitations, providers, and providers' orders to
// sign out.

import { refuseOver } from '../../../admission/admission.js'
import { RATES } from '../../../admission/rate-rows.js'
import { ServiceError } from '../../../model/errors.js'
import type { Services } from '../../../usecases/context/services.js'
import { countedAddressOf } from '../../http/counted-address.js'
import type { ApiContext } from '../request/request-state.js'

/** Refusals that say nothing of the caller. */
const NO_FAILURES: readonly string[] = ['too_many_requests', 'identity_provider_down']

/** Throws `too_many_requests` for an address that has failed too often. */
export async function refuseAfterFailures(ctx: ApiContext, { admission }: Services): Promise<void> {
  const state = await admission.rate('failed-sign-ins').peek(holderOf(ctx))
  refuseOver([state], RATES['failed-sign-ins'].message)
}

/** Tries to sign somebody in. A failure counts for the address. */
export async function countingFailures<T>(ctx: ApiContext, { admission }: Services, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const isFailure = !(error instanceof ServiceError) || !NO_FAILURES.includes(error.code)
    if (isFailure) await admission.rate('failed-sign-ins').take(holderOf(ctx))
    throw error
  }
}

/** Counts a sign-in that begins. Throws `too_many_requests`. */
export async function countBegun(ctx: ApiContext, { admission }: Services): Promise<void> {
  refuseOver([await admission.rate('begun-sign-ins').take(holderOf(ctx))], RATES['begun-sign-ins'].message)
}

/** Counts a request of a guest: for the address, then for all together. Throws `too_many_requests`. */
export async function countGuest(ctx: ApiContext, { admission }: Services): Promise<void> {
  const ofAddress = await admission.rate('guests-of-address').take(holderOf(ctx))
  const ofAll = ofAddress?.isOver === true ? undefined : await admission.rate('guests').take('all')
  refuseOver([ofAddress, ofAll], RATES.guests.message)
}

/** Returns the address for which tries are counted. */
export function holderOf({ state }: ApiContext): string {
  return countedAddressOf(state.client ?? '')
}
