// `POST /session/invitation` shows an invitation, and `POST /session/invitation/accept` takes it. Only the dashboard uses them: the caller
// has no key yet.

import { ServiceError } from '../../../model/errors.js'
import { borrowedSession } from '../../../usecases/access/loans.js'
import { beginSession, findSession } from '../../../usecases/access/sessions.js'
import type { Services } from '../../../usecases/context/services.js'
import { acceptInvitation, peekInvitation } from '../../../usecases/people/accept-invitation.js'
import type { ApiContext, ApiMiddleware } from '../request/request-state.js'
import { attempt, type AttemptParts } from './attempt.js'
import { originOf } from './device.js'
import { sessionOf, setSession } from './session-cookie.js'

const PATH = '/session/invitation'
const ACCEPT_PATH = `${PATH}/accept`
/** Bound of the body, which anyone may send. */
const MAX_BYTES = 4096

interface Fields {
  token: string
  name?: string
}

export function invitationRoutes(parts: AttemptParts): ApiMiddleware {
  return async (ctx, next) => {
    if (ctx.path === PATH || ctx.path === ACCEPT_PATH) await answer(ctx, parts)
    else await next()
  }
}

async function answer(ctx: ApiContext, parts: AttemptParts): Promise<void> {
  ctx.set('Cache-Control', 'no-store')
  if (ctx.method !== 'POST') {
    ctx.set('Allow', 'POST')
    throw new ServiceError('method_not_allowed', `${ctx.method} is not allowed here. Allowed is: POST.`)
  }
  const { services } = parts
  const isAcceptance = ctx.path === ACCEPT_PATH
  const data = await attempt<Fields, object>(ctx, parts, {
    maxBytes: MAX_BYTES,
    check: fieldsIn,
    run: async (fields) =>
      isAcceptance ? await accept(ctx, services, fields) : peekInvitation(services, fields.token),
  })
  ctx.status = isAcceptance ? 201 : 200
  ctx.body = { success: true, data }
}

/** A person who is signed in joins and stays signed in; a new person gets a session. A borrowed session takes no invitation. */
async function accept(ctx: ApiContext, services: Services, { token, name }: Fields): Promise<{ workspaceId: string }> {
  const { catalog, baseUrl } = services
  const from = originOf(ctx)
  const secret = sessionOf(ctx.req, baseUrl)
  const session = secret === undefined ? undefined : findSession(services, secret)
  if (session?.loan != null) throw borrowedSession()
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

function fieldsIn(body: unknown): Fields {
  const { token, name } = (body as Partial<Fields> | null | undefined) ?? {}
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
