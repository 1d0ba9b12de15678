// Hides the parts of the library that this service does not offer: OpenID Connect, and pages that need JavaScript. The library does not see
// such requests, and its answers do not name them.

import type { Context } from 'koa'
import { ServiceError } from '../../../model/errors.js'
import { AGENT_SCOPES } from '../../../model/rights/agent-scopes.js'
import { refusalPage } from './configuration.js'
import { PAGE_POLICY } from './pages.js'

/** The library refuses these without the scope `openid`, or keeps them unread. */
const OF_OPENID = [
  'acr_values',
  'claims',
  'claims_locales',
  'display',
  'id_token_hint',
  'login_hint',
  'max_age',
  'nonce',
  'ui_locales',
]
/** The words of `prompt` that mean something here. */
const PROMPTS = ['none', 'login', 'consent']

/** Leaves out what has no meaning here. */
function leaveOutOpenId(query: URLSearchParams): void {
  for (const name of OF_OPENID) query.delete(name)
  const words = query.get('prompt')?.split(' ')
  if (words === undefined || query.getAll('prompt').length > 1) return
  const known = words.filter((word) => PROMPTS.includes(word)).join(' ')
  if (known === '') query.delete('prompt')
  else query.set('prompt', known)
}

/**
 * Lets the library see the request as sent to BASE_URL. Removes `response_mode` and `user_code`: for these the library answers with a page
 * that needs JavaScript. Our own page shows the code.
 */
export function hideFromLibrary(ctx: Context, baseUrl: string): void {
  const { origin, protocol } = new URL(baseUrl)
  Object.defineProperty(ctx.request, 'origin', { value: origin })
  Object.defineProperty(ctx.request, 'protocol', { value: protocol.slice(0, -1) })
  ctx.cookies.secure = protocol === 'https:'
  if (ctx.querystring === '') return
  const query = new URLSearchParams(ctx.querystring)
  const code = ctx.path === '/oauth/device' ? query.get('user_code') : null
  if (code !== null) Object.assign(ctx.state, { userCode: code })
  query.delete('user_code')
  query.delete('response_mode')
  leaveOutOpenId(query)
  ctx.querystring = query.toString()
}

export function noEndpoint(): ServiceError {
  return new ServiceError(
    'route_not_found',
    'There is no such endpoint: /.well-known/oauth-authorization-server names those for programs that connect.',
  )
}

/** Answers a browser that comes back without the cookies of its request: there the library fails. */
export function refuseLost(ctx: Context, error: unknown): void {
  const isKnown = error instanceof TypeError && error.message.startsWith('persist can only be called')
  if (!isKnown) throw error
  showRefusal(ctx, 'invalid_request', 'this browser did not begin it, or it is over.')
}

/** Shows a refusal here: before consent, nobody is sent to an address that a stranger registered (RFC 9700 §4.11). */
export function refuseOpenRedirect(ctx: Context): void {
  const location = ctx.res.getHeader('Location')
  if (ctx.path !== '/oauth/authorize' || typeof location !== 'string' || location.startsWith('/oauth/')) return
  const answer = new URL(location).searchParams
  ctx.remove('Location')
  showRefusal(ctx, answer.get('error') ?? '', answer.get('error_description') ?? '')
}

function showRefusal(ctx: Context, code: string, reason: string): void {
  ctx.status = 400
  ctx.set('Content-Security-Policy', PAGE_POLICY)
  ctx.type = 'html'
  ctx.body = refusalPage(code, reason)
}

/** Leaves out what the library says about OpenID Connect (RFC 8414 §2). */
export function metadataOf(all: object): object {
  const known =
    /^(?:issuer|.*_endpoint|grant_types_supported|code_challenge_methods_supported|token_endpoint_auth_methods_supported|response_types_supported|authorization_response_iss_parameter_supported|client_id_metadata_document_supported)$/
  const fields = Object.entries(all).filter(([name]) => known.test(name))
  const scopes = [...AGENT_SCOPES, 'offline_access']
  return { ...Object.fromEntries(fields), scopes_supported: scopes, response_modes_supported: ['query'] }
}
