// Runs the API for the tools of this process: the same routes, with plain values, for the tool's caller.

import type { Logger } from 'pino'
import { logRequest } from '../protocols/api/access-log.js'
import { refusalOf } from '../protocols/api/answer-errors.js'
import { ERROR_STATUS } from '../protocols/api/routes/error-status.js'
import { refuseLongJson } from '../protocols/api/request/read-body.js'
import type { ToolCaller } from '../protocols/api/tools-endpoint.js'
import { API_PREFIX } from '../protocols/api/routes/route.js'
import type { Route } from '../protocols/api/routes/route.js'
import { KEY_ROUTES } from '../protocols/api/routes/table.js'
import type { RouteRequest, RunRoute } from '../protocols/api/run-route.js'
import { serializeQuery } from '../protocols/client/request-url.js'
import { ApiFailure, type AskApi } from '../protocols/mcp/ask-api.js'
import type { ToolRequest } from '../protocols/mcp/tools/tool.js'
import type { Limits } from '../model/limits.js'
import type { LongField } from '../usecases/context/result.js'

export interface InProcessApiParts {
  runRoute: RunRoute
  limits: Limits
  logger: Logger
}

/** Creates the API for each caller. Its requests are logged like requests over HTTP. */
export function createInProcessApi({ runRoute, limits, logger }: InProcessApiParts): (caller: ToolCaller) => AskApi {
  return (caller) => async (request, signal) => {
    const started = performance.now()
    let status = 200
    const work = runRoute(routeOf(request), { ...caller, ...toPlainValues(request, limits) }).catch(
      (error: unknown) => {
        const { code, message, details } = refusalOf(error, caller.requestId, logger)
        status = ERROR_STATUS[code]
        throw new ApiFailure({ code, message, details, requestId: caller.requestId })
      },
    )
    try {
      const { data, created, nextCursor, long, changeRequest } = await untilAborted(work, signal)
      if (created === true) status = 201
      return {
        data: long === undefined ? data : withText(data, long),
        nextCursor: nextCursor ?? null,
        changeRequest,
      }
    } finally {
      const [method, path] = [request.method.toUpperCase(), pathOf(request)]
      logRequest(logger, started, { ...caller, method, path, status, aborted: signal.aborted })
    }
  }
}

/** Adds the long field to the data as a text. Tools request parts, which are short. */
function withText(data: unknown, { name, json }: LongField): unknown {
  const field = { [name]: JSON.parse(json.toString()) as unknown }
  return Array.isArray(data) ? data.map((entry) => ({ ...entry, ...field })) : { ...(data as object), ...field }
}

function pathOf({ path, params }: ToolRequest): string {
  return API_PREFIX + path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params.path[name])))
}

function routeOf({ method, path }: ToolRequest): Route {
  const route = KEY_ROUTES.find((known) => known.method === method && known.path === path)
  if (route === undefined) throw new Error(`${method} ${path} is not in the route table`)
  return route
}

function toPlainValues(
  { params: { header, path, query }, body }: ToolRequest,
  limits: Limits,
): Pick<RouteRequest, 'fields' | 'params' | 'query' | 'readBody' | 'readBytes'> {
  return {
    fields: Object.fromEntries(Object.entries(header).map(([name, value]) => [name.toLowerCase(), String(value)])),
    params: Object.fromEntries(Object.entries(path).map(([name, value]) => [name, String(value)])),
    query: serializeQuery(query),
    readBody: (taken) => {
      refuseLongJson(body, taken, limits)
      return { kind: 'json', value: body }
    },
    readBytes: () => {
      throw new Error('a tool sends no bytes')
    },
  }
}

/** Rejects on abort. The work still continues, as after a disconnect over HTTP; its outcome is ignored. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
