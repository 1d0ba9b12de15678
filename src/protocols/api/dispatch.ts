// Finds the endpoint of a request in the tables. Here alone are decided: who must be known first, 404, 405 and the answer to OPTIONS.

import { noValidKey, ServiceError } from '../../model/errors.js'
import type { Services } from '../../usecases/context/services.js'
import type { Figures } from '../../admission/figures.js'
import { bearerOf } from './request/request-fields.js'
import type { ApiContext, ApiMiddleware, Handler } from './request/request-state.js'
import { isOfTools, TOOLS_PATH } from './request/tools-path.js'
import type { OpenRoute } from './routes/open-route.js'
import { type HandlerName, OTHER_ENDPOINTS, type OtherEndpoint } from './routes/other-endpoints.js'
import { API_PREFIX, type Caller, type Route } from './routes/route.js'
import { ROUTES } from './routes/table.js'
import { answerUnknownPath, notFound } from './unknown-path.js'
import { principalOf } from './sign-in/principal-of.js'

interface Endpoint {
  paths: readonly string[]
  /** A regular expression for each parameter in braces. */
  form: string
  methods: readonly string[]
  caller: Caller
  isAlwaysAnswered: boolean
  /** Whether it answers OPTIONS with its methods. */
  tellsMethods: boolean
  answer: Handler
}

interface Found {
  endpoint: Endpoint
  params: Readonly<Record<string, string>>
}

export interface DispatchParts {
  services: Services
  /** Makes the handler of a route. */
  handlerOf: (route: Route | OpenRoute) => Handler
  /** The handlers of the other endpoints. */
  handlers: Readonly<Record<HandlerName, Handler>>
  /** Counts the requests that are not answered yet. */
  requests: Figures
}

export function dispatch({ services, handlerOf, handlers, requests }: DispatchParts): ApiMiddleware {
  const find = createFind([
    ...ROUTES.map((route) => ofRoute(route, handlerOf(route))),
    ...OTHER_ENDPOINTS.map((endpoint) => ofOther(endpoint, handlers[endpoint.handler])),
  ])
  return async (ctx) => {
    const here = find(ctx.path)
    if (here.some(({ endpoint }) => endpoint.isAlwaysAnswered)) return await answer(ctx, here)
    requests.running += 1
    try {
      // Another machine may have revoked the key.
      await services.replica.untilCurrent()
      await answerKnown(ctx, services, here)
    } finally {
      requests.running -= 1
    }
    return undefined
  }
}

function ofRoute(route: Route | OpenRoute, answerRoute: Handler): Endpoint {
  const method = route.method.toUpperCase()
  return {
    paths: [route.caller === 'key' ? `${API_PREFIX}${route.path}` : route.path],
    form: '[^/]+',
    methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
    caller: route.caller,
    isAlwaysAnswered: false,
    tellsMethods: true,
    answer: answerRoute,
  }
}

function ofOther(endpoint: OtherEndpoint, handler: Handler): Endpoint {
  const { paths, form = '', methods, caller, isAlwaysAnswered } = endpoint
  return {
    paths,
    form,
    methods,
    caller,
    isAlwaysAnswered: isAlwaysAnswered === true,
    tellsMethods: false,
    answer: handler,
  }
}

/** Answers 401 without a valid key or session wherever one is needed, also on paths of the API that do not exist. */
async function answerKnown(ctx: ApiContext, services: Services, here: readonly Found[]): Promise<void> {
  const isOfApi = ctx.path === API_PREFIX || ctx.path.startsWith(`${API_PREFIX}/`)
  if (here.length === 0 && !isOfApi) return answerUnknownPath(ctx)
  const isForKeys = here.length === 0 || here.some(({ endpoint }) => endpoint.caller === 'key')
  if (isForKeys) ctx.state.principal = await principalFor(ctx, services)
  if (here.length === 0) throw notFound(ctx)
  return await answer(ctx, here)
}

async function principalFor({ req, path }: ApiContext, services: Services) {
  if (!isOfTools(path)) return await principalOf(services, req, API_PREFIX)
  // A session belongs to the dashboard: it gives no access to the tools.
  if (bearerOf(req) === undefined) throw noValidKey()
  return await principalOf(services, req, TOOLS_PATH)
}

/** Answers by the endpoint with the method. Without one: 405 with Allow (RFC 9110 §15.5.6), or the answer to OPTIONS. */
async function answer(ctx: ApiContext, here: readonly Found[]): Promise<void> {
  const found = here.find(({ endpoint }) => endpoint.methods.includes(ctx.method))
  if (found !== undefined) return await found.endpoint.answer(ctx, found.params)
  const tellsMethods = here.some(({ endpoint }) => endpoint.tellsMethods)
  const allowed = [...new Set(here.flatMap(({ endpoint }) => endpoint.methods)), ...(tellsMethods ? ['OPTIONS'] : [])]
  ctx.set('Allow', allowed.join(', '))
  if (!tellsMethods || ctx.method !== 'OPTIONS')
    throw new ServiceError(
      'method_not_allowed',
      `${ctx.method} is not allowed here. Allowed ${allowed.length === 1 ? 'is' : 'are'}: ${allowed.join(', ')}.`,
    )
  ctx.status = 204
}

/** Returns a function that finds the endpoints at a path. */
function createFind(endpoints: readonly Endpoint[]): (path: string) => Found[] {
  const exact = new Map<string, Found[]>()
  const templates: { pattern: RegExp; endpoint: Endpoint }[] = []
  for (const endpoint of endpoints)
    for (const path of endpoint.paths)
      if (path.includes('{')) templates.push({ pattern: patternOf(path, endpoint.form), endpoint })
      else exact.set(path, [...(exact.get(path) ?? []), { endpoint, params: {} }])
  return (path) => [
    ...(exact.get(path) ?? []),
    ...templates.flatMap(({ pattern, endpoint }) => {
      const match = pattern.exec(path)
      return match === null ? [] : [{ endpoint, params: decode(match.groups ?? {}) }]
    }),
  ]
}

/** `{id}` stands for a parameter of the form. */
function patternOf(path: string, form: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{(\w+)\}/g, `(?<$1>${form})`)}$`)
}

/** Leaves a text that cannot be decoded as it is: the schema refuses it. */
function decode(groups: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(groups).map(([name, text]) => {
      try {
        return [name, decodeURIComponent(text)]
      } catch {
        return [name, text]
      }
    }),
  )
}
