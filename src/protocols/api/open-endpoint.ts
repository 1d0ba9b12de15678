// Answers a route that needs no key. The order of the steps is the order of refusals: session (if needed), other sites' pages, limit, body,
// query. The use case refuses last.

import type { Services } from '../../usecases/context/services.js'
import { bodyRulesOf, readBody } from './request/read-body.js'
import { createChecks, readInput } from './request/read-input.js'
import type { BodyReceiver } from './request/receive-body.js'
import type { ApiContext, Handler } from './request/request-state.js'
import type { OpenRoute } from './routes/open-route.js'
import { browserOf } from './sign-in/browser.js'
import { countBegun, countGuest, countingFailures, holderOf, refuseAfterFailures } from './sign-in/failed-tries.js'
import { principalOf } from './sign-in/principal-of.js'
import { refuseCrossSite } from './sign-in/session-cookie.js'

export function openEndpoint(services: Services, bodies: BodyReceiver, route: OpenRoute): Handler {
  const checks = createChecks(route, services.limits)
  // Bodies are short enough to need no task: without a known caller, there is no workspace whose turn it could be.
  const rules = bodyRulesOf(services, '')
  return async (ctx, params) => {
    ctx.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    const browser = browserOf(ctx, services.baseUrl)
    if (route.needsSession) browser.principal = await principalOf(services, ctx.req, ctx.path)
    if (route.caller === 'browser') refuseCrossSite(ctx.req, services.baseUrl)
    await refuseMany(ctx, services, route)
    const { data, created } = await bodies.during(ctx.req, holderOf(ctx), async (receive) => {
      const input = await readInput(route, checks, {
        params,
        query: ctx.querystring,
        readBody: (taken) => readBody(ctx.req, receive, taken, rules),
      })
      const run = async () => await route.run({ ...services, ...browser }, input)
      return route.limit === 'failed-sign-ins' ? await countingFailures(ctx, services, run) : await run()
    })
    ctx.status = created === true ? 201 : 200
    ctx.body = { success: true, data }
  }
}

async function refuseMany(ctx: ApiContext, services: Services, { limit }: OpenRoute): Promise<void> {
  if (limit === 'failed-sign-ins') await refuseAfterFailures(ctx, services)
  if (limit === 'begun-sign-ins') await countBegun(ctx, services)
  if (limit === 'guests') await countGuest(ctx, services)
}
