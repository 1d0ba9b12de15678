// Signs out at identity providers: leads a browser there, and ends sessions that a provider has ended.

import { issuerIn, LOGOUT_SECONDS } from '../../catalog/identity/logout-token.js'
import { CLOCK_SECONDS } from '../../catalog/identity/provider-settings.js'
import { ServiceError } from '../../model/errors.js'
import { hashKey } from '../../model/key-format.js'
import type { Services } from '../context/services.js'

/** Returns the URL that ends the session's own session at its provider; undefined if it has none. Ask before the session ends. */
export async function endSessionUrl(
  { catalog, providers }: Pick<Services, 'catalog' | 'providers'>,
  secret: string,
): Promise<string | undefined> {
  const issuer = catalog.sessions.findByHash(hashKey(secret))?.issuer
  const provider = issuer == null ? undefined : providers.find(({ settings }) => settings.issuer === issuer)
  return await provider?.endSessionUrl()
}

/** Ends the sessions that a logout token names. Throws `sign_in_refused` and `identity_provider_down`. */
export async function endByProvider(
  { catalog, providers }: Pick<Services, 'catalog' | 'providers'>,
  token: string,
): Promise<void> {
  const issuer = issuerIn(token)
  const provider = providers.find(({ settings }) => settings.issuer === issuer)
  if (provider === undefined) throw refused('The token is of no provider of this service.')
  const order = await provider.readLogout(token)
  const isFirst = await catalog.pendingSignIns.isFirst(
    `${order.issuer} ${order.id}`,
    LOGOUT_SECONDS + 2 * CLOCK_SECONDS,
  )
  if (!isFirst) throw refused('The token was used before.')
  const { session, subject } = order
  if (session !== undefined) return await catalog.sessions.endOfProvider(order.issuer, { session })
  const userId = subject === undefined ? undefined : catalog.identities.find(order.issuer, subject)?.userId
  if (userId !== undefined) await catalog.sessions.endOfProvider(order.issuer, { userId })
}

function refused(message: string): ServiceError {
  return new ServiceError('sign_in_refused', message)
}
