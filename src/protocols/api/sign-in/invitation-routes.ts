// `POST /session/invitation` shows an invitation, and `POST /session/invitation/accept` takes it. Only the dashboard uses them: the caller
// has no key yet.

import { refuseOver } from '../../../admission/admission.js'
import { RATES } from '../../../admission/rate-rows.js'
import { ServiceError } from '../../../model/errors.js'
import { hashKey } from '../../../model/key-format.js'
import { beginSession } from '../../../usecases/access/sessions.js'
import type { Services } from '../../../usecases/context/services.js'
import { acceptInvitation, peekInvitation } from '../../../usecases/people/accept-invitation.js'
import { countedAddressOf } from '../../http/counted-address.js'
import { bodyRulesOf, readBody } from '../request/read-body.js'
import type { BodyReceiver } from '../request/receive-body.js'
import type { ApiContext, ApiMiddleware } from '../request/request-state.js'
import { originOf } from './device.js'
import { refuseCrossSite, sessionOf, setSession } from './session-cookie.js'

const PATH = '/session/invitation'
const ACCEPT_PATH = `${PATH}/accept`
/** Bound of the body, which anyone may send. */
const MAX_BYTES = 4096

interface Fields {
  token: string
  name?: string
}

export function invitationEndpoints(services: Services, bodies: BodyReceiver): ApiMiddleware {
  return async (ctx, next) => {
    if (ctx.path === PATH || ctx.path === ACCEPT_PATH) await answer(ctx, services, bodies)
    else await next()
  }
}

async function answer(ctx: ApiContext, services: Services, bodies: BodyReceiver): Promise<void> {
  ctx.set('Cache-Control', 'no-store')
  if (ctx.method !== 'POST') {
    ctx.set('Allow', 'POST')
    throw new ServiceError('method_not_allowed', `${ctx.method} is not allowed here. Allowed is: POST.`)
  }
  refuseCrossSite(ctx.req, services.baseUrl)
  // The caller is not known yet, so the failures of one address are limited, and the bytes that it sends at once.
  const holder = countedAddressOf(ctx.state.client ?? '')
  const failures = services.admission.rate('failed-sign-ins')
  refuseOver([await failures.peek(holder)], RATES['failed-sign-ins'].message)
  const fields = await readFields(ctx, services, bodies, holder)
  const isAcceptance = ctx.path === ACCEPT_PATH
  const work = isAcceptance ? accept(ctx, services, fields) : peekInvitation(services, fields.token)
  const data = await work.catch(async (error: unknown) => {
    await failures.take(holder)
    throw error
  })
  ctx.status = isAcceptance ? 201 : 200
  ctx.body = { success: true, data }
}

/** A person who is signed in joins and stays signed in; a new person gets a session. */
async function accept(ctx: ApiContext, services: Services, { token, name }: Fields): Promise<{ workspaceId: string }> {
  const { catalog, baseUrl } = services
  const from = originOf(ctx)
  const secret = sessionOf(ctx.req, baseUrl)
  const session = secret === undefined ? undefined : catalog.sessions.findByHash(hashKey(secret))
  if (session !== undefined && session.userId !== null) {
    const { workspaceId } = await acceptInvitation(services, { token, from, userId: session.userId })
    await catalog.sessions.enter(session.id, workspaceId)
    return { workspaceId }
  }
  if (name === undefined) throw badBody()
  const { workspaceId, userId } = await acceptInvitation(services, { token, from, name })
  const begun = await beginSession(services, { userId, workspaceId, means: 'link', ...from }, secret)
  ctx.set('Set-Cookie', setSession(baseUrl, begun.secret, new Date(begun.expiresAt)))
  return { workspaceId }
}

async function readFields(ctx: ApiContext, services: Services, bodies: BodyReceiver, holder: string): Promise<Fields> {
  const taken = { html: false, maxJsonBytes: MAX_BYTES }
  // Short enough to need no task: without a known caller, there is no workspace whose turn it could be.
  const body = await bodies.during(ctx.req, holder, (receive) =>
    readBody(ctx.req, receive, taken, bodyRulesOf(services, '')),
  )
  const { token, name } = (body.kind === 'json' ? (body.value as Partial<Fields> | null) : null) ?? {}
  if (typeof token !== 'string' || token.length > 255 || (name !== undefined && typeof name !== 'string'))
    throw badBody()
  return { token, ...(name !== undefined && { name }) }
}

function badBody(): ServiceError {
  return new ServiceError(
    'invalid_body',
    'Send {"token": "…", "name": "…"}: the text after the # of the invitation, and your name unless you are signed in.',
  )
}
