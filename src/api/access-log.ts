// One log line for each request, when its answer is sent: never a key, a cookie, a query or a body.

import type { BlockList } from 'node:net'
import type { Middleware } from 'koa'
import type { Logger } from 'pino'
import type { Principal } from '../model/principal.js'
import { clientAddressOf } from '../http/trusted-proxies.js'
import { requestIdOf } from './request/request-fields.js'

/** Gives the request its id, for the log, the answer and the commit. */
export function accessLog(logger: Logger, trustedProxies: BlockList): Middleware {
  return async (ctx, next) => {
    const started = performance.now()
    const requestId = requestIdOf(ctx.req)
    const client = clientAddressOf(ctx.req, trustedProxies)
    ctx['requestId'] = requestId
    ctx.set('X-Request-Id', requestId)
    ctx.res.once('close', () => {
      const { method, path, status } = ctx
      const principal = (ctx['principal'] as Principal | undefined)?.id
      const milliseconds = Math.round((performance.now() - started) * 10) / 10
      const aborted = ctx.res.writableFinished ? undefined : true
      logger.info({ requestId, client, method, path, status, milliseconds, principal, aborted }, 'request')
    })
    await next()
  }
}
