// `POST /session/backchannel-logout`: an identity provider ends sessions of its people (OpenID Connect Back-Channel Logout 1.0 §2.5).

import type { Logger } from 'pino'
import { refuseOver } from '../../../admission/admission.js'
import { RATES } from '../../../admission/rate-rows.js'
import { ServiceError } from '../../../model/errors.js'
import type { Services } from '../../../usecases/context/services.js'
import { endByProvider } from '../../../usecases/sign-in/end-at-provider.js'
import { countedAddressOf } from '../../http/counted-address.js'
import type { BodyReceiver } from '../request/receive-body.js'
import type { ApiContext } from '../request/request-state.js'
import { reasonOf } from './reason.js'

const MAX_LOGOUT_BYTES = 16 * 1024

export function logoutRoute(
  services: Services,
  bodies: BodyReceiver,
  logger: Logger,
): (ctx: ApiContext) => Promise<void> {
  return async (ctx) => {
    if (ctx.method !== 'POST') {
      ctx.set('Allow', 'POST')
      throw new ServiceError('method_not_allowed', 'Only POST is allowed here: identity providers send logout tokens.')
    }
    const holder = countedAddressOf(ctx.state.client ?? '')
    const failures = services.admission.rate('failed-sign-ins')
    refuseOver([await failures.peek(holder)], RATES['failed-sign-ins'].message)
    const body = await bodies.during(ctx.req, holder, async (receive) => (await receive(MAX_LOGOUT_BYTES)).toString())
    try {
      await endByProvider(services, new URLSearchParams(body).get('logout_token') ?? '')
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'sign_in_refused') throw error
      await failures.take(holder)
      logger.warn({ requestId: ctx.state.requestId, reason: reasonOf(error) }, 'a logout token is refused')
      throw new ServiceError(
        'invalid_body',
        'The field logout_token has no logout token of a provider of this service.',
      )
    }
    ctx.body = { success: true, data: {} }
  }
}
