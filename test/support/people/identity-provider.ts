// An identity provider for tests: `oidc-provider` over HTTP, at which one person after another signs in without a form.

import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export interface Account {
  sub: string
  name?: string
  email?: string
  email_verified?: boolean
  groups?: string[]
}

export interface TestProvider {
  issuer: string
  /** The provider's entry in SIGN_IN_PROVIDERS. */
  settings: { id: string; name: string; issuer: string; clientId: string; clientSecret: string }
  /** Starts to know the service at this URL. */
  meet(baseUrl: string): void
  /** The person who signs in next; undefined is refused. */
  person: Account | undefined
  stop(): Promise<void>
}

/** The part of a request's context from which a grant follows. */
interface Asked {
  oidc: {
    session: { accountId: string; grantIdFor(client: string): string | undefined }
    client: { clientId: string }
  }
}

const SECRET = 'a secret of the service and the provider'

export async function startProvider(id: string): Promise<TestProvider> {
  let answer: RequestListener = (_request, response) => response.writeHead(503).end()
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const started: TestProvider = {
    issuer,
    settings: { id, name: `Provider ${id}`, issuer, clientId: 'palimpsest', clientSecret: SECRET },
    person: undefined,
    meet(baseUrl) {
      answer = listenerOf(started, baseUrl)
    },
    stop: () => stop(server),
  }
  return started
}

function listenerOf(started: TestProvider, baseUrl: string): RequestListener {
  const accounts = new Map<string, Account>()
  const provider = new Provider(started.issuer, {
    clients: [clientOf(started.settings, baseUrl)],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    cookies: { keys: ['a key of the cookies'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true }, rpInitiatedLogout: LOGOUT },
    // Without its dispatcher, which refuses addresses of this machine.
    fetch: (url: string, options: object) => fetch(url, { ...options, dispatcher: undefined } as object),
    interactions: { url: () => '/interaction' },
    findAccount: (_ctx: unknown, sub: string) => ({ accountId: sub, claims: () => accounts.get(sub) ?? { sub } }),
    loadExistingGrant: async ({ oidc: { session, client } }: Asked) => {
      const known = session.grantIdFor(client.clientId)
      if (known !== undefined) return await provider.Grant.find(known)
      const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const callback = provider.callback()
  return (request, response) => {
    if (request.url !== '/interaction') {
      callback(request, response)
      return
    }
    const { person } = started
    if (person !== undefined) accounts.set(person.sub, person)
    const result = person === undefined ? { error: 'access_denied' } : { login: { accountId: person.sub } }
    provider.interactionFinished(request, response, result).catch(() => response.writeHead(500).end())
  }
}

/** Asks one question. */
const LOGOUT = {
  enabled: true,
  logoutSource: (ctx: { body: unknown }, form: string) => {
    ctx.body = `<!doctype html>${form}<button form="op.logoutForm" name="logout" value="yes">Yes</button>`
  },
}

function clientOf({ id, clientId, clientSecret }: TestProvider['settings'], baseUrl: string): object {
  return {
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [`${baseUrl}/session/callback/${id}`],
    post_logout_redirect_uris: [`${baseUrl}/sign-in`],
    backchannel_logout_uri: `${baseUrl}/session/backchannel-logout`,
    backchannel_logout_session_required: true,
  }
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
}
