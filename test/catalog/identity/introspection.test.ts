import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import supertest from 'supertest'
import { git } from '../../support/git.js'
import { PATIENCE_MS, within } from '../../support/within.js'
import { startOwnService, type TestService } from '../../support/service.js'

const AUDIENCE = 'https://pages.example'
const CLIENT = { id: 'palimpsest', secret: 'a secret of the service and the provider' }

/** The claims of a new token. */
interface Claims {
  workspace?: unknown
  sites?: unknown
  scope?: string
  audience?: string
}

describe('a token of an identity provider', () => {
  let provider: IdentityProvider
  let service: TestService

  before(async () => {
    provider = await startProvider()
    service = await startOwnService({
      env: {
        INTROSPECTION_URL: `${provider.origin}/token/introspection`,
        INTROSPECTION_CLIENT_ID: CLIENT.id,
        INTROSPECTION_CLIENT_SECRET: CLIENT.secret,
        INTROSPECTION_AUDIENCE: AUDIENCE,
      },
    })
  })
  after(async () => {
    await service.stop()
    await provider.stop()
  })

  /** The body of a 401, without the id of the request. */
  async function refusalOf(token: string): Promise<string> {
    const { text } = await service.api(token).get('/pages').expect(401)
    return text.replace(/"requestId":"[^"]*"/, '')
  }

  const tokenFor = (claims: Claims = {}) => provider.issue({ workspace: service.workspaceId, ...claims })

  it('opens the workspace of its claim, with its scopes, and commits as its subject', async () => {
    const token = await tokenFor({ scope: 'read write' })
    await service.api(token).post('/pages').send({ path: '/by-token', html: '<p>x</p>' }).expect(201)
    assert.match(git(service.gitdir(), 'log', '-1', '--format=%an %(trailers:key=Token-Subject)', 'main'), /author-bot/)
    await service.api(token).get('/keys').expect(403)
    await service
      .api(await tokenFor({ scope: 'read' }))
      .post('/pages')
      .send({ path: '/x' })
      .expect(403)
  })

  it('sees only the sites of its claim, by id or slug', async () => {
    const other = await service
      .api((await service.mint({ scopes: ['admin'] })).key)
      .post('/sites')
      .send({ slug: 'other' })
    const slugsSeen = async (sites: unknown) => {
      const answer = await service
        .api(await tokenFor({ sites }))
        .get('/sites')
        .expect(200)
      return (answer.body.data as { slug: string }[]).map(({ slug }) => slug)
    }
    assert.deepEqual(await slugsSeen(undefined), ['demo', 'other'])
    assert.deepEqual(await slugsSeen([(other.body.data as { id: string }).id]), ['other'])
    assert.deepEqual(await slugsSeen('demo nowhere'), ['demo'])
    assert.deepEqual(await slugsSeen(7), [])
  })

  for (const [what, claims] of [
    ['for another audience', { audience: 'https://elsewhere.example' }],
    ['without a workspace claim', { workspace: undefined }],
    ['whose workspace claim is not text', { workspace: { id: 1 } }],
    ['of an unknown workspace', { workspace: '11111111-1111-4111-8111-111111111111' }],
    ['without one of our scopes', { scope: 'openid' }],
  ] as const) {
    it(`is refused like a wrong key if it is one ${what}`, async () => {
      assert.equal(await refusalOf(await tokenFor(claims)), await refusalOf('pal_not-a-key'))
    })
  }

  it('is refused like a wrong key if the provider did not issue it', async () => {
    assert.equal(await refusalOf('made-up'), await refusalOf('pal_not-a-key'))
  })

  it('is not shown to the provider if it does not have the form of a token', async () => {
    const before = provider.questions()
    for (const token of ['a"b', 'a,b', 'ä', 'x'.repeat(4097)]) {
      const status = await fetch(`${service.origin}/api/v1/pages`, {
        headers: { Authorization: Buffer.from(`Bearer ${token}`).toString('latin1') },
      })
      assert.equal(status.status, 401)
    }
    assert.equal(provider.questions(), before)
  })

  it('is looked up with at most 31 others at once, if 64 unknown ones arrive together; keys still work', async () => {
    const release = provider.hold()
    const made = Array.from({ length: 64 }, async (_, i) => await service.api(`garbage-${i}`).get('/pages'))
    const { status, body } = await Promise.race(made)
    assert.deepEqual([status, (body as { error: { code: string } }).error.code], [503, 'identity_provider_down'])
    await service.api().get('/pages').expect(200)
    release()
    const answers = await Promise.all(made)
    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([401, 503]))
    assert.equal(provider.busiest(), 32)
    await service
      .api(await tokenFor())
      .get('/pages')
      .expect(200)
  })

  it('is refused soon after its revocation', async () => {
    const token = await tokenFor()
    await service.api(token).get('/pages').expect(200)
    await provider.revoke(token)
    await within(PATIENCE_MS, async () => void (await service.api(token).get('/pages').expect(401)))
  })

  it('is looked up once for many requests at the same time', async () => {
    const token = await tokenFor()
    const before = provider.questions()
    const { introspection } = service.server.service.services
    assert.ok(introspection)
    const found = await Promise.all(Array.from({ length: 20 }, () => introspection.authenticate(token)))
    assert.equal(new Set(found.map(({ workspaceId }) => workspaceId)).size, 1)
    assert.equal(provider.questions() - before, 1)
  })

  it('is answered 503, never accepted, while the provider is down or answers nonsense; keys still work', async () => {
    const token = await tokenFor()
    for (const failure of ['{"active":"yes"}', 'no json', undefined]) {
      provider.failWith(failure)
      const answer = await service
        .api(`${token}${failure?.length ?? 0}`)
        .get('/pages')
        .expect(503)
      assert.equal((answer.body.error as { code: string }).code, 'identity_provider_down')
      await service.api().get('/pages').expect(200)
    }
    provider.failWith(null)
    await service.api(token).get('/pages').expect(200)
  })

  it('is never shown to the provider if it has the form of a key of this service', async () => {
    const before = provider.questions()
    const { key, id } = await service.mint()
    await service.server.service.services.catalog.keys.revoke(service.workspaceId, id)
    await service.api(key).get('/pages').expect(401)
    assert.equal(provider.questions(), before)
  })
})

interface IdentityProvider {
  origin: string
  issue(claims: Claims): Promise<string>
  revoke(token: string): Promise<void>
  /** Returns how many questions about tokens it got. */
  questions(): number
  /** Lets every question wait until the returned function is called. */
  hold(): () => void
  /** The most questions that it was answering at one time. */
  busiest(): number
  /** Answers this in place of its own word, or (undefined) nothing but an error; null: its own word again. */
  failWith(body: string | undefined | null): void
  stop(): Promise<void>
}

/** A real one (oidc-provider) that issues opaque tokens to a program, with the claims that the test wants. */
async function startProvider(): Promise<IdentityProvider> {
  let next: Claims = {}
  let failure: string | undefined | null = null
  let questions = 0
  let open = 0
  let busiest = 0
  let held = Promise.resolve()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(
    origin,
    configurationOf(() => next),
  )
  const answer = provider.callback()
  server.on('request', (request, response) => {
    const isQuestion = request.url === '/token/introspection'
    if (isQuestion) {
      questions++
      busiest = Math.max(busiest, ++open)
      response.once('close', () => open--)
    }
    if (!isQuestion || failure === null) void held.then(() => answer(request, response))
    else response.writeHead(failure === undefined ? 500 : 200, { 'content-type': 'application/json' }).end(failure)
  })
  const ask = (path: string, fields: Record<string, string>) =>
    supertest(origin).post(path).auth('author-bot', 'its secret').type('form').send(fields)
  return {
    origin,
    async issue(claims) {
      next = claims
      const { scope = 'read' } = claims
      const { body } = await ask('/token', { grant_type: 'client_credentials', scope }).expect(200)
      return (body as { access_token: string }).access_token
    },
    revoke: async (token) => void (await ask('/token/revocation', { token }).expect(200)),
    questions: () => questions,
    busiest: () => busiest,
    hold: () => {
      let release = () => undefined as void
      held = new Promise((resolve) => (release = resolve))
      return release
    },
    failWith: (body) => (failure = body),
    stop: () => close(server),
  }
}

function configurationOf(wanted: () => Claims): object {
  return {
    clients: [
      {
        client_id: 'author-bot',
        client_secret: 'its secret',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        grant_types: [],
        redirect_uris: [],
        response_types: [],
      },
    ],
    scopes: ['openid', 'read', 'write'],
    features: {
      clientCredentials: { enabled: true },
      revocation: { enabled: true, allowedPolicy: () => true },
      introspection: { enabled: true, allowedPolicy: () => true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => AUDIENCE,
        getResourceServerInfo: () => ({
          scope: 'openid read write',
          audience: wanted().audience ?? AUDIENCE,
          accessTokenFormat: 'opaque',
        }),
      },
    },
    ttl: { ClientCredentials: 600 },
    extraTokenClaims: () => ({ workspace: wanted().workspace, sites: wanted().sites }),
  }
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
