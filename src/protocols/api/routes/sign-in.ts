// The endpoints by which browsers sign in and out. Only the dashboard uses them: programs have a key.

import { passkeyAnswerBody } from '../../../../schemas/account.js'
import {
  acceptInvitationBody,
  type BegunSessionData,
  begunSessionData,
  invitationViewData,
  joinedData,
  passkeyQuestionData,
  provenData,
  readInvitationBody,
  signInBody,
  signedOutData,
  signInProvidersData,
  signOutQuery,
} from '../../../../schemas/sign-in.js'
import { mintSecret } from '../../../model/key-format.js'
import type { Result } from '../../../usecases/context/result.js'
import { peekInvitation } from '../../../usecases/people/accept-invitation.js'
import { joinByInvitation } from '../../../usecases/sign-in/by-invitation.js'
import { endSessionUrl } from '../../../usecases/sign-in/end-at-provider.js'
import { askPasskey, proveWithPasskey, signInWithPasskey } from '../../../usecases/sign-in/passkey-sign-in.js'
import { listProviders } from '../../../usecases/sign-in/providers.js'
import { type NewSession, signOut } from '../../../usecases/sign-in/sessions.js'
import { signIn } from '../../../usecases/sign-in/sign-in-link.js'
import type { Browser } from '../sign-in/browser.js'
import { problemOf } from '../sign-in/sign-in-cookies.js'
import { openRoute } from './open-route.js'

/** Bounds of bodies that anybody may send. */
const MAX_TOKEN_BYTES = 4096
const MAX_ANSWER_BYTES = 32 * 1024
/** The cookie that binds a passkey's question to the browser that asked it. */
const PASSKEY_COOKIE = 'passkey-browser'
const SECRET = /^[\w-]{43}$/
const DAY_MS = 86_400_000

export const signInRoutes = [
  openRoute({
    method: 'post',
    path: '/session',
    operationId: 'signIn',
    tag: 'Sign-in',
    summary: 'Sign in with a link',
    description: 'The answer sets the cookie of the session. The link works once.',
    limit: 'failed-sign-ins',
    json: signInBody,
    maxBytes: MAX_TOKEN_BYTES,
    data: begunSessionData,
    creates: true,
    errors: ['sign_in_link_invalid'],
    run: async (call, { token }) => begun(call, await signIn(call, token, { before: call.session, ...call.from })),
  }),
  openRoute({
    method: 'delete',
    path: '/session',
    operationId: 'signOut',
    tag: 'Sign-in',
    summary: 'Sign out',
    description: 'The answer removes the cookie, even if it named no session.',
    query: signOutQuery,
    data: signedOutData,
    async run(call, { everywhere = false }) {
      const { session, from } = call
      // The session names its provider only until it ends.
      const atProvider = session === undefined ? undefined : endSessionUrl(call, session)
      if (session !== undefined) await signOut(call, session, everywhere, from)
      call.setSession('', new Date(0))
      const url = await atProvider
      return { data: url === undefined ? {} : { endSessionUrl: url } }
    },
  }),
  openRoute({
    method: 'get',
    path: '/session/providers',
    caller: 'nobody',
    operationId: 'listSignInProviders',
    tag: 'Sign-in',
    summary: 'List the identity providers at which people sign in',
    data: signInProvidersData,
    run(call) {
      const problem = problemOf(call)
      return { data: { providers: listProviders(call), ...(problem && { problem }) } }
    },
  }),
  openRoute({
    method: 'post',
    path: '/session/passkey/options',
    operationId: 'askPasskey',
    tag: 'Sign-in',
    summary: 'Get a question that a passkey answers',
    description:
      'For the `navigator.credentials.get()` of browsers. The answer sets a cookie that binds it to this browser.',
    limit: 'begun-sign-ins',
    data: passkeyQuestionData,
    async run(call) {
      // Tabs of one browser share the cookie, so that none ends the question of another.
      const known = call.cookie(PASSKEY_COOKIE)
      const secret = known !== undefined && SECRET.test(known) ? known : mintSecret()
      const data = await askPasskey(call, holderOf(secret), call.network)
      call.setCookie(PASSKEY_COOKIE, secret, new Date(call.clock().getTime() + DAY_MS))
      return { data }
    },
  }),
  openRoute({
    method: 'post',
    path: '/session/passkey',
    operationId: 'signInWithPasskey',
    tag: 'Sign-in',
    summary: 'Sign in with a passkey',
    description: 'The answer sets the cookie of the session.',
    limit: 'failed-sign-ins',
    json: passkeyAnswerBody,
    maxBytes: MAX_ANSWER_BYTES,
    data: begunSessionData,
    creates: true,
    errors: ['passkey_refused'],
    async run(call, answer) {
      const { session: before, from } = call
      return begun(call, await signInWithPasskey(call, answer, { browser: asked(call), before, ...from }))
    },
  }),
  openRoute({
    method: 'post',
    path: '/session/proof',
    operationId: 'proveWithPasskey',
    tag: 'Sign-in',
    summary: 'Prove with a passkey who you are, while you are signed in',
    description: 'Acts that need a fresh proof are allowed for 10 minutes.',
    limit: 'failed-sign-ins',
    needsSession: true,
    json: passkeyAnswerBody,
    maxBytes: MAX_ANSWER_BYTES,
    data: provenData,
    errors: ['passkey_refused'],
    async run(call, answer) {
      await proveWithPasskey(call, call.principal, answer, asked(call))
      return { data: {} }
    },
  }),
  openRoute({
    method: 'post',
    path: '/session/invitation',
    operationId: 'readInvitation',
    tag: 'Sign-in',
    summary: 'Read an invitation',
    limit: 'failed-sign-ins',
    json: readInvitationBody,
    maxBytes: MAX_TOKEN_BYTES,
    data: invitationViewData,
    errors: ['invitation_invalid'],
    run: (call, { token }) => ({ data: peekInvitation(call, token) }),
  }),
  openRoute({
    method: 'post',
    path: '/session/invitation/accept',
    operationId: 'acceptInvitation',
    tag: 'Sign-in',
    summary: 'Accept an invitation',
    description: 'Somebody who is signed in joins. A new person sends a name and gets a session.',
    limit: 'failed-sign-ins',
    json: acceptInvitationBody,
    maxBytes: MAX_TOKEN_BYTES,
    data: joinedData,
    creates: true,
    errors: ['borrowed_session', 'conflict', 'invitation_for_another', 'invitation_invalid'],
    async run(call, input) {
      const { workspaceId, begun: session } = await joinByInvitation(call, input)
      if (session !== undefined) call.setSession(session.secret, new Date(session.expiresAt))
      return { data: { workspaceId }, created: true }
    },
  }),
]

/** Answers that a session has begun. */
function begun(browser: Browser, { secret, expiresAt, label, workspaceId }: NewSession): Result<BegunSessionData> {
  browser.setSession(secret, new Date(expiresAt))
  return { data: { label, workspaceId, expiresAt }, created: true }
}

/** Returns the holder of the browser's questions. Without the cookie it was asked none. */
function asked(browser: Browser): string {
  return holderOf(browser.cookie(PASSKEY_COOKIE) ?? '')
}

function holderOf(secret: string): string {
  return `browser ${secret}`
}
