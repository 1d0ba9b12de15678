// What needs no key: health, the OpenAPI document and the reference made from it.

import type { ApiContext, ApiMiddleware } from './request-state.js'
import { readFileSync } from 'node:fs'
import { ServiceError } from '../model/errors.js'
import type { Services } from '../usecases/context/services.js'
import { healthOf } from './health.js'
import { buildOpenApi } from './openapi/openapi.js'

export interface OpenRouteParts {
  services: Services
  isReady: () => boolean
}

interface Answer {
  type: string
  body: string | Buffer
  status?: number
}

const DOCS_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Palimpsest API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const DOCS_START = `window.SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true })\n`

/** The build puts the reference's files beside the compiled code. */
const DOCS_FOLDER = new URL('../../docs-ui/', import.meta.url)

export function openRoutes({ services, isReady }: OpenRouteParts): ApiMiddleware {
  const openApi = JSON.stringify(buildOpenApi(services.baseUrl))
  const answers: Record<string, (ctx: ApiContext) => Answer> = {
    '/healthz': ({ req, querystring }) => json(healthOf(services, req, new URLSearchParams(querystring))),
    '/readyz': () => (isReady() ? json({ status: 'ready' }) : { ...json({ status: 'stopping' }), status: 503 }),
    '/openapi.json': () => ({ type: 'application/json', body: openApi }),
    '/docs': () => ({ type: 'text/html', body: DOCS_PAGE }),
    '/docs/start.js': () => ({ type: 'text/javascript', body: DOCS_START }),
    '/docs/swagger-ui.css': () => docsFile('swagger-ui.css', 'text/css'),
    '/docs/swagger-ui-bundle.js': () => docsFile('swagger-ui-bundle.js', 'text/javascript'),
  }
  return async (ctx, next) => {
    const answer = Object.hasOwn(answers, ctx.path) ? answers[ctx.path]?.(ctx) : undefined
    if (answer === undefined) return await next()
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD')
      throw new ServiceError('method_not_allowed', 'This can be read, and nothing else.')
    }
    ctx.status = answer.status ?? 200
    ctx.set('Content-Security-Policy', DOCS_CSP)
    ctx.set('Content-Type', `${answer.type}; charset=utf-8`)
    ctx.body = answer.body
    return undefined
  }
}

function json(value: object): Answer {
  return { type: 'application/json', body: JSON.stringify(value) }
}

/** Read once: the bundle is large. */
const docsFiles = new Map<string, Answer>()

function docsFile(name: string, type: string): Answer {
  const known = docsFiles.get(name)
  if (known !== undefined) return known
  try {
    const answer = { type, body: readFileSync(new URL(name, DOCS_FOLDER)) }
    docsFiles.set(name, answer)
    return answer
  } catch {
    const body = 'The reference is not built: npm run build. The document itself is at /openapi.json.\n'
    return { type: 'text/plain', status: 404, body }
  }
}
