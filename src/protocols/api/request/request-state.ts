// The facts about a request that Koa's middleware passes on in `ctx.state`.

import type { Middleware, ParameterizedContext } from 'koa'
import type { Principal } from '../../../model/principal.js'

export interface RequestState {
  /** Names the request in the log, the answer and the commit. */
  requestId: string
  /** The client's address; undefined once the connection is gone. */
  client: string | undefined
  /** Set as soon as the caller is authenticated. */
  principal?: Principal
}

/** State after authentication, which refuses all unknown callers. */
export interface AuthenticatedState extends RequestState {
  principal: Principal
}

export type ApiMiddleware = Middleware<RequestState>
export type ApiContext = ParameterizedContext<RequestState>

/** Answers a request to an endpoint that is no JSON over schemas. The parameters of its path are decoded. */
export type Handler = (ctx: ApiContext, params: Readonly<Record<string, string>>) => void | Promise<void>
