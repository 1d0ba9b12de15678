// The facts about a request that Koa's middleware passes on in `ctx.state`.

import type { Middleware, ParameterizedContext } from 'koa'
import type { Principal } from '../../model/principal.js'

export interface RequestState {
  /** For the log, the answer and the commit. */
  requestId: string
  /** The client's address; undefined once the connection is gone. */
  client: string | undefined
  /** Set as soon as the caller is authenticated. */
  principal?: Principal
}

/** After authentication, which refuses everyone else. */
export interface AuthenticatedState extends RequestState {
  principal: Principal
}

export type ApiMiddleware = Middleware<RequestState>
export type ApiContext = ParameterizedContext<RequestState>
