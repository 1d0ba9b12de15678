// Serves the routes that need no key: health, the keys that sign commits, the OpenAPI document and the reference made from it.

import type { Figures } from '../../admission/figures.js'
import type { ApiContext, ApiMiddleware } from './request/request-state.js'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../../model/errors.js'
import { BUILT_FILES } from '../../threads/built-files.js'
import type { Services } from '../../usecases/context/services.js'
import { healthOf, isOnThisMachine } from './health.js'
import { buildOpenApi } from './openapi/openapi.js'
import type { Document } from './reference/document.js'
import { referencePage } from './reference/reference.js'

export interface OpenRouteParts {
  services: Services
  isReady: () => boolean
  requests: Figures
}

interface Answer {
  type: string
  body: string | Buffer
  status?: number
}

/** Content security policy of the reference, which runs no script. */
const DOCS_CSP = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const STYLE_SHEET = new URL('reference.css', BUILT_FILES.reference)

export function openRoutes({ services, isReady, requests }: OpenRouteParts): ApiMiddleware {
  const openApi = once(() => Buffer.from(JSON.stringify(buildOpenApi(services.baseUrl))))
  const reference = once(() => Buffer.from(referencePage(JSON.parse(openApi().toString()) as Document)))
  const styleSheet = once(() => readFileSync(STYLE_SHEET))
  const answers: Record<string, (ctx: ApiContext) => Answer | Promise<Answer>> = {
    '/healthz': ({ req, querystring }) => json(healthOf(services, req, new URLSearchParams(querystring), requests)),
    '/readyz': async ({ req, querystring }) =>
      isReady() ? await readiness(services, req, new URLSearchParams(querystring)) : notReady('stopping'),
    '/allowed_signers': () => ({ type: 'text/plain', body: services.store.repositories.allowedSigners() }),
    '/openapi.json': () => ({ type: 'application/json', body: openApi() }),
    '/docs': () => ({ type: 'text/html', body: reference() }),
    '/docs/reference.css': () => ({ type: 'text/css', body: styleSheet() }),
  }
  return async (ctx, next) => {
    const answer = Object.hasOwn(answers, ctx.path) ? await answers[ctx.path]?.(ctx) : undefined
    if (answer === undefined) return await next()
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD')
      throw new ServiceError('method_not_allowed', 'This can only be read: send GET or HEAD.')
    }
    ctx.status = answer.status ?? 200
    ctx.set('Content-Security-Policy', DOCS_CSP)
    ctx.set('Content-Type', `${answer.type}; charset=utf-8`)
    ctx.body = answer.body
    return undefined
  }
}

/** Answers whether this machine can take requests: whether it has what others answered. With `?verbose=1` it adds their state. */
async function readiness(services: Services, request: IncomingMessage, query: URLSearchParams): Promise<Answer> {
  const { replica } = services
  const isVerbose = query.get('verbose') === '1'
  const isTold = isVerbose && isOnThisMachine(services, request)
  const diskFault = replica.diskFault()
  if (diskFault !== undefined) return notReady('no disk', isTold ? { error: diskFault } : {})
  try {
    await replica.untilCurrent()
    return json({ status: 'ready', ...(isVerbose && replica.report(isTold)) })
  } catch (error) {
    return notReady('no database', isTold ? { error: reasonOf(error) } : {})
  }
}

function notReady(status: string, details: object = {}): Answer {
  return { ...json({ status, ...details }), status: 503 }
}

/** Returns the message of the cause, which names the servers that were tried. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? cause.message : String(cause)
}

function json(value: object): Answer {
  return { type: 'application/json', body: JSON.stringify(value) }
}

/** Calls `make` at the first request, so that a start does not pay for it. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
