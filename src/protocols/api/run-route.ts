// Runs one route with plain values, for HTTP and the tools alike. The order of the steps is the order of refusals: header fields, workspace
// and site, scope, body (media type, size, content), path parameters, query. After a body come the first three again. Then a fresh proof is
// asked for. The use case refuses last.

import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from '../../model/errors.js'
import type { ByteSource } from '../../model/bytes.js'
import type { Principal } from '../../model/principal.js'
import { holdsScope, type Scope } from '../../model/rights/scopes.js'
import { refuseUnproven } from '../../usecases/access/fresh-proof.js'
import type { Result } from '../../usecases/context/result.js'
import type { Services } from '../../usecases/context/services.js'
import type { Call } from '../../usecases/context/call.js'
import type { HoldBytes, RequestOrigin } from '../../usecases/context/request-context.js'
import { insufficientScope, resolveTarget } from '../../usecases/context/target.js'
import { inRequest } from '../../usecases/requests/in-request.js'
import { forbiddenRole, isOwner } from '../../usecases/people/roles.js'
import { parseIfMatch, parseIfNoneMatch } from './request/preconditions.js'
import { type Checks, createChecks, readInput, type SentInput } from './request/read-input.js'
import { idempotencyKeyOf, sentAs, targetIdsOf } from './request/request-fields.js'
import { type Route, takesRequest } from './routes/route.js'
import { KEY_ROUTES } from './routes/table.js'

export interface RouteRequest extends SentInput {
  principal: Principal
  /** Authenticates the caller again, as of now. */
  authenticate: () => Promise<Principal>
  requestId: string
  /** Header fields, by their names in lower case. */
  fields: IncomingHttpHeaders
  /** Called instead if the route takes bytes: they are read while the route runs. */
  readBytes: (maxBytes: number) => ByteSource
  hold: HoldBytes
  from: RequestOrigin
}

/** Runs the route. Throws ServiceError. */
export type RunRoute = (route: Route, request: RouteRequest) => Promise<Result>

export function createRunRoute(services: Services): RunRoute {
  const checksOf = new Map<Route, Checks>(KEY_ROUTES.map((route) => [route, createChecks(route, services.limits)]))
  return async (route, request) => {
    const checks = checksOf.get(route)
    if (checks === undefined) throw new Error(`${route.operationId} is not in the route table`)
    const ids = targetIdsOf(request.fields)
    const conditions = conditionsOf(route, request.fields)
    const idempotencyKey = route.method === 'post' ? idempotencyKeyOf(request.fields) : undefined
    const { authenticate, requestId, hold, from } = request
    const asked = new URLSearchParams(request.query)
    const aim = (principal: Principal, workspaceId = ids.workspaceId) => {
      const target = resolveTarget(
        services,
        principal,
        { ...ids, workspaceId },
        leastScope(route, request.principal, asked),
        route.scope,
      )
      if (route.forOwners && !isOwner(principal)) throw forbiddenRole()
      refuseLimited(route, principal)
      return { principal, target }
    }
    const before = aim(request.principal)
    const bytes = route.bytes && { bytes: request.readBytes(services.limits[route.bytes]) }
    if (asked.has('changeRequest') && !takesRequest(route)) throw ofMain()
    const input = await readInput(route, checks, request)
    const call = {
      ...services,
      // A body may take minutes to come.
      ...(checks.taken ? aim(await authenticate(), before.target.workspace.id) : before),
      authenticate,
      requestId,
      route: `${route.method.toUpperCase()} ${route.path}`,
      sent: sentAs(route, request),
      hold,
      from,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    }
    refuseWrite(route, call, input)
    if (typeof route.needsProof === 'function' ? route.needsProof(input) : route.needsProof)
      refuseUnproven(call, call.principal)
    const run = (inCall: typeof call) => route.run(inCall, { ...input, ...bytes, ...conditions })
    return isInRequest(input) ? await inRequest(call, input, route.scope === 'write', run) : await run(call)
  }
}

function isInRequest(input: object): input is { changeRequest: string } {
  return 'changeRequest' in input
}

function ofMain(): ServiceError {
  return new ServiceError(
    'invalid_query',
    'This endpoint is about what is live. GET /change-requests/{id}/changes lists what a change request changes; its pages, files and records are read one by one with ?changeRequest=<id>.',
  )
}

/**
 * Returns the scope without which no request to the route is allowed. A dry run and a write to a change request need less than a write. The
 * body may ask for a dry run.
 */
function leastScope(route: Route, principal: Principal, asked: URLSearchParams): Scope {
  const { scope, query, body, forOneself } = route
  if (forOneself && principal.kind === 'session' && principal.person !== undefined) return 'read'
  const isDryRun = query !== undefined && 'dryRun' in query.properties && asked.get('dryRun') === 'true'
  const isProposal = takesRequest(route) && asked.has('changeRequest')
  const mayBeDryRun = body !== undefined && 'dryRun' in body.json.properties
  return scope === 'write' && (isDryRun || isProposal || mayBeDryRun) ? 'propose' : scope
}

/** Refuses a write to main that is no dry run to a caller who may only propose. Throws `insufficient_scope`. */
function refuseWrite({ scope }: Route, { principal, target }: Call, input: object): void {
  const isProposal = isInRequest(input) || ('dryRun' in input && input.dryRun === true)
  if (scope !== 'write' || isProposal || holdsScope(target.scopes, scope)) return
  throw insufficientScope(principal, scope)
}

/** Refuses a key that is limited to paths, unless the route writes to pages and files only. */
function refuseLimited({ scope, byPaths }: Route, { paths }: Principal): void {
  if (paths === undefined || scope === 'read' || byPaths) return
  throw new ServiceError('path_not_allowed', `This key may only write to these pages and files: ${paths.join(', ')}.`, {
    paths: [],
  })
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
