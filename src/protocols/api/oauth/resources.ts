// The resources for which tokens are made (RFC 8707), and the field `WWW-Authenticate` of a refusal (RFC 6750 §3, RFC 9728 §5.1). The field
// tells a client where to get a token, and for which scope.

import type { ServiceError } from '../../../model/errors.js'
import { AGENT_SCOPES, scopesUpTo } from '../../../model/rights/agent-scopes.js'
import { API_PREFIX } from '../routes/route.js'
import { ERROR_STATUS } from '../routes/error-status.js'
import { RESOURCE_METADATA } from '../routes/other-endpoints.js'
import type { ApiContext } from '../request/request-state.js'
import { isOfTools, TOOLS_PATH } from '../request/tools-path.js'

/** The paths of the resources. The first is meant by a client that names none. */
export const RESOURCE_PATHS = [TOOLS_PATH, API_PREFIX] as const

/** The resources of a service, and what it says of others. */
export interface Resources {
  /** The one that a client means that names none. */
  first: string
  /** Returns the resource that a URL means; undefined for another one. */
  find(url: string): string | undefined
  /** Said to a client that names another one. */
  problem: string
}

/** `urls` have no slash at their ends. People also type one, and hosts in capitals. */
export function resourcesAt(urls: readonly string[]): Resources {
  const [first = ''] = urls
  return {
    first,
    find: (url) => {
      const plain = URL.canParse(url) ? new URL(url).href.replace(/\/$/, '') : undefined
      return urls.find((known) => known === plain)
    },
    problem: `resource must be ${urls.join(' or ')}, and only one of them`,
  }
}

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
