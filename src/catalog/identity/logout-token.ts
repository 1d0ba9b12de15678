// Reads the token by which an identity provider orders the end of sessions (OpenID Connect Back-Channel Logout 1.0 §2.4, §2.6).

import { decodeJwt, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { untrusted } from './provider-errors.js'
import { CLOCK_SECONDS, type ProviderSettings } from './provider-settings.js'

/** Names the sessions that end: one of the provider's, or all of a person. */
export interface LogoutOrder {
  issuer: string
  /** The id of the token, which works once. */
  id: string
  session: string | undefined
  subject: string | undefined
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** The signatures of keys that the provider publishes. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
/** Seconds after its making in which a token is accepted. */
export const LOGOUT_SECONDS = 300

/** Returns the issuer that a token names, before anything is checked. */
export function issuerIn(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

/** Throws the errors of `jose`, and `sign_in_refused`. */
export async function readLogoutToken(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, clientId, name }: ProviderSettings,
): Promise<LogoutOrder> {
  const { payload } = await jwtVerify(token, keys, {
    issuer,
    audience: clientId,
    algorithms: ALGORITHMS,
    requiredClaims: ['iat', 'jti', 'events'],
    maxTokenAge: LOGOUT_SECONDS,
    clockTolerance: CLOCK_SECONDS,
  })
  const { sub, sid, jti = '', events, nonce } = payload
  const event = typeof events === 'object' && events !== null ? (events as Record<string, unknown>)[EVENT] : undefined
  if (typeof event !== 'object' || event === null) throw untrusted(name, 'the token orders no logout')
  if (nonce !== undefined) throw untrusted(name, 'the logout token has a nonce, as ID tokens have')
  const session = typeof sid === 'string' && sid !== '' ? sid : undefined
  if (session === undefined && sub === undefined) throw untrusted(name, 'the logout token names neither sub nor sid')
  return { issuer, id: jti, session, subject: sub }
}
