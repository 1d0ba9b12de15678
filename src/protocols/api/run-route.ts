// Runs one route with plain values, for HTTP and the tools alike. The order of the steps is the order of refusals: header fields, workspace
// and site, scope, body (media type, size, content), path parameters, query, the first three again after a body, a fresh proof, and then
// the refusals of the use case.

import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from '../../model/errors.js'
import type { Limits } from '../../model/limits.js'
import type { ByteSource } from '../../model/bytes.js'
import { fileTypeOf } from '../../model/paths/file-type.js'
import type { Principal } from '../../model/principal.js'
import { holdsScope, type Scope } from '../../model/rights/scopes.js'
import { refuseUnproven } from '../../usecases/access/fresh-proof.js'
import type { Result } from '../../usecases/context/result.js'
import type { Services } from '../../usecases/context/services.js'
import type { HoldBytes, RequestContext, RequestOrigin } from '../../usecases/context/request-context.js'
import { insufficientScope, resolveTarget } from '../../usecases/context/target.js'
import { forbiddenRole, isOwner } from '../../usecases/people/roles.js'
import { type Check, createCheck } from './request/check-input.js'
import { parseQuery } from './request/parse-query.js'
import { parseIfMatch, parseIfNoneMatch } from './request/preconditions.js'
import { type Body, maxJsonBytesOf, type TakenBody } from './request/read-body.js'
import { idempotencyKeyOf, targetIdsOf } from './request/request-fields.js'
import type { Route } from './routes/route.js'
import { ROUTES } from './routes/table.js'

export interface RouteRequest {
  principal: Principal
  /** Authenticates the caller again, as of now. */
  authenticate: () => Promise<Principal>
  requestId: string
  /** Header fields, by their names in lower case. */
  fields: IncomingHttpHeaders
  /** The path's parameters, decoded. */
  params: Readonly<Record<string, string>>
  /** The query as in a URL, without the question mark. */
  query: string
  /** Called if the route takes a body, once the caller is known to be allowed to send it. */
  readBody: (taken: TakenBody) => Promise<Body> | Body
  /** Called instead if the route takes bytes: they are read while the route runs. */
  readBytes: (maxBytes: number) => ByteSource
  hold: HoldBytes
  from: RequestOrigin
}

/** Runs the route. Throws ServiceError. */
export type RunRoute = (route: Route, request: RouteRequest) => Promise<Result>

interface Checks {
  params: Check
  query: Check
  body: Check
  taken: TakenBody | undefined
}

export function createRunRoute(services: Services): RunRoute {
  const checksOf = new Map<Route, Checks>(ROUTES.map((route) => [route, createChecks(route, services.limits)]))
  return async (route, request) => {
    const checks = checksOf.get(route)
    if (checks === undefined) throw new Error(`${route.operationId} is not in the route table`)
    const ids = targetIdsOf(request.fields)
    const conditions = conditionsOf(route, request.fields)
    const idempotencyKey = route.method === 'post' ? idempotencyKeyOf(request.fields) : undefined
    const { authenticate, requestId, hold, from } = request
    const aim = (principal: Principal, workspaceId = ids.workspaceId) => {
      const target = resolveTarget(
        services,
        principal,
        { ...ids, workspaceId },
        leastScope(route, request),
        route.scope,
      )
      if (route.forOwners && !isOwner(principal)) throw forbiddenRole()
      refuseLimited(route, principal)
      return { principal, target }
    }
    const before = aim(request.principal)
    const bytes = route.bytes && { bytes: request.readBytes(services.limits[route.bytes]) }
    const input = await readInput(route, checks, request)
    const context: RequestContext = {
      // A body may take minutes to come.
      ...(checks.taken ? aim(await authenticate(), before.target.workspace.id) : before),
      authenticate,
      requestId,
      route: `${route.method.toUpperCase()} ${route.path}`,
      hold,
      from,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    }
    refuseWrite(route, context, input)
    if (typeof route.needsProof === 'function' ? route.needsProof(input) : route.needsProof)
      refuseUnproven(services, context.principal)
    return await route.run(services, context, { ...input, ...bytes, ...conditions })
  }
}

/**
 * Refuses an HTML body whose media type was assumed at a path of a file: `curl -T style.css` would make a page there. Throws
 * `unsupported_media_type`.
 */
function refuseFalsePage(path: unknown): void {
  if (typeof path !== 'string' || fileTypeOf(path) === undefined) return
  throw new ServiceError(
    'unsupported_media_type',
    `${path} is not the path of a page: PUT /files?path=${path} takes files. For a page there, send Content-Type: text/html.`,
  )
}

/** Returns the scope without which no request to the route is allowed. A dry run needs less than the write, but the body may ask for it. */
function leastScope({ scope, query, body, forOneself }: Route, { principal, query: text }: RouteRequest): Scope {
  if (forOneself && principal.kind === 'session' && principal.person !== undefined) return 'read'
  const isDryRun =
    query !== undefined && 'dryRun' in query.properties && new URLSearchParams(text).get('dryRun') === 'true'
  const mayBeDryRun = body !== undefined && 'dryRun' in body.json.properties
  return scope === 'write' && (isDryRun || mayBeDryRun) ? 'propose' : scope
}

/** Refuses a write that is no dry run to a caller who may only propose. Throws `insufficient_scope`. */
function refuseWrite({ scope }: Route, { principal, target }: RequestContext, input: object): void {
  if (scope !== 'write' || ('dryRun' in input && input.dryRun === true) || holdsScope(target.scopes, scope)) return
  throw insufficientScope(principal, scope)
}

/** Refuses a key that is limited to paths, unless the route writes to pages and files only. */
function refuseLimited({ scope, byPaths }: Route, { paths }: Principal): void {
  if (paths === undefined || scope === 'read' || byPaths) return
  throw new ServiceError('path_not_allowed', `This key may only write to these pages and files: ${paths.join(', ')}.`, {
    paths: [],
  })
}

function createChecks({ params, query, body }: Route, limits: Limits): Checks {
  const none = () => undefined
  return {
    params: params === undefined ? none : createCheck(params, 'invalid_id', 'The path'),
    query: query === undefined ? refuseAnyQuery : createCheck(query, 'invalid_query', 'The query'),
    body: body === undefined ? none : createCheck(body.json, 'invalid_body', 'The body'),
    taken: body && { html: body.html, maxJsonBytes: maxJsonBytesOf(body.json, limits) },
  }
}

function refuseAnyQuery(query: unknown): void {
  const names = Object.keys(query as object)
  if (names.length === 0) return
  throw new ServiceError('invalid_query', `This endpoint takes no query parameters: leave out ${names.join(', ')}.`)
}

function conditionsOf(
  { ifMatch: takesIfMatch, ifNoneMatch: takesIfNoneMatch }: Route,
  { 'if-match': ifMatch, 'if-none-match': ifNoneMatch }: IncomingHttpHeaders,
): { ifMatch?: string[] | '*'; ifNoneMatch?: '*' } {
  return {
    ...(takesIfMatch && ifMatch !== undefined && { ifMatch: parseIfMatch(ifMatch) }),
    ...(takesIfNoneMatch && ifNoneMatch !== undefined && { ifNoneMatch: parseIfNoneMatch(ifNoneMatch) }),
  }
}

/** Returns path parameters, query and body in one object, each checked against its schema. */
async function readInput(route: Route, checks: Checks, { params, query: queryText, readBody }: RouteRequest) {
  const body = checks.taken && (await readBody(checks.taken))
  checks.params(params)
  const query = parseQuery(queryText, route.query)
  checks.query(query)
  if (body === undefined) return { ...query, ...params }
  if (body.kind === 'html') {
    if (body.isAssumed) refuseFalsePage(query['path'])
    return { ...query, ...params, html: body.bytes }
  }
  checks.body(body.value)
  const fields = body.value as Record<string, unknown>
  const known = route.body?.json.properties ?? {}
  const twice = Object.keys(query).find(
    (name) => name in fields || (name in known && route.method === 'post' && route.body?.html === true),
  )
  if (twice === undefined) return { ...query, ...fields, ...params }
  throw new ServiceError('invalid_query', `With a JSON body, send "${twice}" in the body and not in the query.`)
}
