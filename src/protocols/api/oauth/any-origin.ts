// Lets pages of every origin read an answer that anybody may have, without cookies (Fetch standard, "CORS protocol").

import type { ApiContext } from '../request/request-state.js'

/** Returns true for a preflight, which is answered then. */
export function answersAnyOrigin(ctx: ApiContext, method: 'GET' | 'POST'): boolean {
  ctx.set('Access-Control-Allow-Origin', '*')
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin')
  if (ctx.method !== 'OPTIONS') return false
  ctx.set('Access-Control-Allow-Methods', method)
  ctx.set('Access-Control-Allow-Headers', 'Content-Type, MCP-Protocol-Version')
  ctx.status = 204
  return true
}
