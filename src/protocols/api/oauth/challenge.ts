// The field `WWW-Authenticate` of a refusal (RFC 6750 §3, RFC 9728 §5.1): it tells a client where to get a token, and for which scope.

import type { ServiceError } from '../../../model/errors.js'
import { AGENT_SCOPES, scopesUpTo } from '../../../model/rights/agent-scopes.js'
import { API_PREFIX } from '../routes/route.js'
import { ERROR_STATUS } from '../routes/error-status.js'
import type { ApiContext } from '../request/request-state.js'
import { isOfTools, TOOLS_PATH } from '../request/tools-path.js'

/** The path of the metadata of a resource (RFC 9728 §3.1) is this, and the path of the resource. */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'

/** The paths of the resources for which tokens are made (RFC 8707). The first is meant by a client that names none. */
export const RESOURCE_PATHS = [TOOLS_PATH, API_PREFIX] as const

/** Returns undefined for a refusal that another token would not change. */
export function challengeOf(ctx: ApiContext, { code, details }: ServiceError, baseUrl: string): string | undefined {
  const resource = isOfTools(ctx.path) ? TOOLS_PATH : API_PREFIX
  const place = `resource_metadata="${baseUrl}${RESOURCE_METADATA}${resource}"`
  if (ERROR_STATUS[code] === 401) {
    const error = ctx.req.headers.authorization === undefined ? '' : 'error="invalid_token", '
    return `Bearer ${error}${place}`
  }
  if (code !== 'insufficient_scope') return undefined
  const scope = AGENT_SCOPES.find((one) => one === (details as { scope?: unknown } | undefined)?.scope)
  const wanted = scope === undefined ? '' : `, scope="${scopesUpTo(scope).join(' ')}"`
  return `Bearer error="insufficient_scope"${wanted}, ${place}`
}
