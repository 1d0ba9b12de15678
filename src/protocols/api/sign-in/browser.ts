// The browser that sends a request without a key: its cookies, its session, and where it is.

import type { Principal } from '../../../model/principal.js'
import type { RequestOrigin } from '../../../usecases/context/request-context.js'
import { networkOf } from '../../http/counted-address.js'
import type { ApiContext } from '../request/request-state.js'
import { originOf } from './device.js'
import { cookieOf, sessionOf, setCookie, setSession } from './session-cookie.js'

export interface Browser {
  /** The secret of its session. */
  session: string | undefined
  /** Set where a route needs a session. */
  principal?: Principal
  from: RequestOrigin
  /** The network of its address. */
  network: string
  cookie(name: string): string | undefined
  /** Sets a cookie that scripts and requests of other sites do not get. */
  setCookie(name: string, value: string, expires: Date): void
  /** Gives the browser a session. An expiry in the past takes it away. */
  setSession(secret: string, expires: Date): void
}

export function browserOf(ctx: ApiContext, baseUrl: string): Browser {
  return {
    session: sessionOf(ctx.req, baseUrl),
    from: originOf(ctx),
    network: networkOf(ctx.state.client ?? ''),
    cookie: (name) => cookieOf(ctx.req, baseUrl, name),
    setCookie: (name, value, expires) => ctx.append('Set-Cookie', setCookie(baseUrl, name, value, expires)),
    setSession: (secret, expires) => ctx.append('Set-Cookie', setSession(baseUrl, secret, expires)),
  }
}
