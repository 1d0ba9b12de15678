// Answers the endpoints that need no key: health, the keys that sign commits, the OpenAPI document and the reference made from it.

import type { Figures } from '../../admission/figures.js'
import type { ApiContext, Handler } from './request/request-state.js'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { BUILT_FILES } from '../../threads/built-files.js'
import type { Services } from '../../usecases/context/services.js'
import { healthOf, isOnThisMachine } from './health.js'
import { jsonLine } from './unread-answers.js'
import { buildOpenApi } from './openapi/openapi.js'
import type { Document } from './reference/document.js'
import { referencePage } from './reference/reference.js'

export interface DocumentParts {
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

export function documentHandlers({ services, isReady, requests }: DocumentParts) {
  const openApi = once(() => Buffer.from(JSON.stringify(buildOpenApi(services.baseUrl))))
  const reference = once(() => Buffer.from(referencePage(JSON.parse(openApi().toString()) as Document)))
  const styleSheet = once(() => readFileSync(STYLE_SHEET))
  return {
    health: answerWith(({ req, querystring }) =>
      json(healthOf(services, req, new URLSearchParams(querystring), requests)),
    ),
    readiness: answerWith(async ({ req, querystring }) =>
      isReady() ? await readiness(services, req, new URLSearchParams(querystring)) : notReady('stopping'),
    ),
    allowedSigners: answerWith(() => ({
      type: 'text/plain',
      body: services.store.repositories.allowedSigners(),
    })),
    openApi: answerWith(() => ({ type: 'application/json', body: openApi() })),
    reference: answerWith(() => ({ type: 'text/html', body: reference() })),
    styleSheet: answerWith(() => ({ type: 'text/css', body: styleSheet() })),
  }
}

function answerWith(make: (ctx: ApiContext) => Answer | Promise<Answer>): Handler {
  return async (ctx) => {
    const { status = 200, type, body } = await make(ctx)
    ctx.status = status
    ctx.set('Content-Security-Policy', DOCS_CSP)
    ctx.set('Content-Type', `${type}; charset=utf-8`)
    ctx.body = body
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
  return { type: 'application/json', body: jsonLine(value) }
}

/** Calls `make` at the first request, so that a start does not pay for it. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
