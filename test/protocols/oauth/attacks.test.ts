import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import {
  answerConsent,
  authorizeUrl,
  beginConsent,
  CALLBACK,
  connectAgent,
  exchange,
  newVerifier,
  postForm,
  registerClient,
  TestBrowser,
} from '../../support/people/connect-agent.js'
import { signInAs, type SignedIn } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'

describe('attacks on the connecting of agents', () => {
  let service: TestService
  let editor: SignedIn

  before(async () => {
    service = await startOwnService()
    editor = await signInAs(service, 'editor')
  })
  after(() => service.stop())

  const base = () => `http://localhost:${service.server.port}`
  const choice = () => ({ allow: true, workspaceId: service.workspaceId, scope: 'write', sites: null })
  const errorOf = async (answer: Response) => (await answer.json()) as { error: string; error_description?: string }

  /** A page that refuses: no redirect, no fault of the service, and a sentence. */
  async function assertRefusedPage(answer: Response, words: RegExp): Promise<void> {
    const text = await answer.text()
    assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status} ${text}`)
    assert.equal(answer.headers.get('Location'), null)
    assert.match(answer.headers.get('Content-Security-Policy') ?? '', /frame-ancestors 'none'/)
    assert.match(text, words)
  }

  it('sends nobody to an address that the client did not register', async () => {
    const clientId = await registerClient(service)
    const browser = new TestBrowser(service, editor.cookie)
    const asked = { clientId, verifier: newVerifier() }
    for (const redirect of ['https://evil.example/', `${CALLBACK}/other`, 'http://127.0.0.1.evil.example/callback'])
      await assertRefusedPage(await browser.visit(authorizeUrl({ ...asked, redirect })), /redirect_uri/)
  })

  it('sends nobody to a registered address before a person was asked', async () => {
    const clientId = await registerClient(service, { redirect_uris: ['https://evil.example/'] })
    const browser = new TestBrowser(service, editor.cookie)
    const asked = { clientId, verifier: newVerifier(), redirect: 'https://evil.example/' }
    for (const extra of [{ prompt: 'none' }, { response_type: 'token' }, { code_challenge_method: 'plain' }])
      await assertRefusedPage(await browser.visit(authorizeUrl({ ...asked, extra })), /cannot be connected/)
    const foreign = authorizeUrl({ ...asked, resource: 'https://other.example/' })
    await assertRefusedPage(await browser.visit(foreign), /invalid_target/)
  })

  it('takes a loopback address with any port', async () => {
    const clientId = await registerClient(service)
    const redirect = CALLBACK.replace('7777', '51234')
    const browser = new TestBrowser(service, editor.cookie)
    const path = await beginConsent(browser, { clientId, verifier: newVerifier(), redirect })
    const url = await answerConsent(browser, path, choice())
    assert.equal(url.port, '51234')
    assert.equal(url.searchParams.get('iss'), base())
    assert.equal(url.searchParams.get('state'), 'a-state')
  })

  it('gives no tokens for a code with a wrong verifier, without one, or to another client', async () => {
    const [clientId, otherId] = [await registerClient(service), await registerClient(service)]
    const verifier = newVerifier()
    const browser = new TestBrowser(service, editor.cookie)
    const url = await answerConsent(browser, await beginConsent(browser, { clientId, verifier }), choice())
    const code = url.searchParams.get('code') ?? ''
    for (const wrong of [
      { clientId, code, verifier: newVerifier() },
      { clientId, code, verifier: '' },
      { clientId: otherId, code, verifier },
      { clientId, code, verifier, redirect: `${CALLBACK}2` },
    ]) {
      const answer = await exchange(service, wrong)
      assert.equal(answer.status, 400)
      assert.match((await errorOf(answer)).error, /^invalid_(?:grant|request)$/)
    }
    assert.equal((await exchange(service, { clientId, code, verifier })).status, 200)
  })

  it('asks for PKCE', async () => {
    const clientId = await registerClient(service)
    const url = authorizeUrl({ clientId, verifier: 'x' }).replace(/&code_challenge[^&]*/g, '')
    await assertRefusedPage(await new TestBrowser(service, editor.cookie).visit(url), /requires PKCE/)
  })

  it('lets only the browser that the client sent answer, so that nobody consents for somebody else', async () => {
    const clientId = await registerClient(service)
    const attacker = new TestBrowser(service)
    const path = await beginConsent(attacker, { clientId, verifier: newVerifier() })
    const victim = new TestBrowser(service, editor.cookie)
    for (const answer of [await victim.ask(path), await victim.ask(`${path}/answer`, choice())]) {
      assert.equal(answer.status, 404)
      assert.match(
        ((await answer.json()) as { error: { message: string } }).error.message,
        /start again in the program/,
      )
    }
    const resumed = await attacker.visit(path.replace('consent', 'authorize'))
    assert.notEqual(resumed.headers.get('Location')?.startsWith(CALLBACK), true)
  })

  it('needs a session, and a page of the dashboard', async () => {
    const clientId = await registerClient(service)
    const nobody = new TestBrowser(service)
    const path = await beginConsent(nobody, { clientId, verifier: newVerifier() })
    assert.equal((await nobody.ask(path)).status, 401)
    assert.equal((await nobody.ask(`${path}/answer`, choice())).status, 401)
    const browser = new TestBrowser(service, editor.cookie)
    const own = await beginConsent(browser, { clientId, verifier: newVerifier() })
    const headers = {
      'Content-Type': 'application/json',
      'Sec-Fetch-Site': 'cross-site',
      Origin: 'https://evil.example',
    }
    const sent = await browser.visit(`${own}/answer`, { method: 'POST', headers, body: JSON.stringify(choice()) })
    assert.equal(sent.status, 403)
  })

  it('shows the consent in no frame', async () => {
    const page = await fetch(`${base()}/consent/abc`, { headers: { Accept: 'text/html' } })
    assert.equal(page.status, 200)
    assert.match(page.headers.get('Content-Security-Policy') ?? '', /frame-ancestors 'none'/)
    assert.equal(page.headers.get('X-Frame-Options'), 'DENY')
  })

  it('gives nothing in a workspace or a site of others, and no more than the person has or the client asked', async () => {
    const other = await service.inNewWorkspace()
    const viewer = await signInAs(service, 'viewer')
    const clientId = await registerClient(service)
    const consent = async (person: SignedIn, scope: string) => {
      const browser = new TestBrowser(service, person.cookie)
      return { browser, path: await beginConsent(browser, { clientId, verifier: newVerifier(), scope }) }
    }
    const { browser, path } = await consent(viewer, 'write')
    for (const [wrong, status] of [
      [{ ...choice(), workspaceId: other.workspaceId }, 404],
      [{ ...choice(), scope: 'read', sites: [other.site.id] }, 404],
      [choice(), 403],
      [{ ...choice(), scope: 'admin' }, 400],
      [{ ...choice(), expiresInDays: 100_000 }, 400],
    ] as const)
      assert.equal((await browser.ask(`${path}/answer`, wrong)).status, status)
    assert.deepEqual((await viewer.send('get', '/agents').expect(200)).body.data, [])
    const writer = await signInAs(service, 'editor')
    const asked = await consent(writer, 'read')
    await answerConsent(asked.browser, asked.path, choice())
    const agents = (await writer.send('get', '/agents').expect(200)).body.data as { scopes: string[] }[]
    assert.deepEqual(agents[0]?.scopes, ['read'])
    await other.stop()
  })

  it('connects nothing that the person denies', async () => {
    const clientId = await registerClient(service)
    const browser = new TestBrowser(service, editor.cookie)
    const path = await beginConsent(browser, { clientId, verifier: newVerifier() })
    const url = await answerConsent(browser, path, { allow: false })
    assert.equal(url.searchParams.get('error'), 'access_denied')
    assert.equal(url.searchParams.get('code'), null)
  })

  it('registers no client with an address that could run a script or be anybody, in the words of the RFC', async () => {
    const register = async (metadata: unknown) =>
      await fetch(`${base()}/oauth/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(metadata),
      })
    for (const uri of [
      'javascript:alert(1)',
      'data:text/html,x',
      'http://evil.example/',
      'https://a@b.example/',
      'x',
      'https://a.example/#b',
    ]) {
      const answer = await register({ redirect_uris: [uri] })
      assert.equal(answer.status, 400, uri)
      assert.equal((await errorOf(answer)).error, 'invalid_redirect_uri')
    }
    for (const wrong of [
      null,
      [],
      'x',
      { redirect_uris: 'https://a.example/' },
      { redirect_uris: [{}] },
      { redirect_uris: ['https://localhost/x'] },
      {},
    ]) {
      const answer = await register(wrong)
      assert.equal(answer.status, 400, JSON.stringify(wrong))
      assert.match((await errorOf(answer)).error_description ?? '', /\w+ \w+/)
    }
    const huge = await register({ redirect_uris: [CALLBACK], client_name: 'x'.repeat(100_000) })
    assert.equal(huge.status, 413)
    const named = await register({
      redirect_uris: [CALLBACK],
      client_name: 'Nice\u202Ename\n',
      client_secret: 'x',
      jwks_uri: 'http://10.0.0.1/',
    })
    const kept = (await named.json()) as Record<string, unknown>
    assert.equal(kept['client_name'], 'Nice name')
    assert.equal(kept['client_secret'], undefined)
    assert.equal(kept['jwks_uri'], undefined)
  })

  it('refuses a client whose id is a URL of a private address', async () => {
    const asked = { clientId: 'https://127.0.0.1/client.json', verifier: newVerifier() }
    const answer = await new TestBrowser(service, editor.cookie).visit(authorizeUrl(asked))
    await assertRefusedPage(answer, /has no public address/)
  })

  it('limits how many clients one address registers', async () => {
    const other = await startOwnService()
    const register = async () =>
      await fetch(`http://localhost:${other.server.port}/oauth/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [CALLBACK] }),
      })
    const answers = await Promise.all(Array.from({ length: 40 }, register))
    const refused = answers.filter(({ status }) => status === 429)
    assert.equal(refused.length, 10)
    assert.ok(Number(refused[0]?.headers.get('Retry-After')) > 0)
    await other.stop()
  })

  it('stores no token, code or id of a request that could be used', async () => {
    const tokens = await connectAgent(service, editor)
    const { catalog } = service.server.service.services
    const file = `${service.dataDir}/copy-of-catalog.db`
    catalog.copyTo(file)
    const bytes = readFileSync(file)
    rmSync(file)
    for (const secret of [tokens.access_token, tokens.refresh_token, tokens.code])
      assert.equal(bytes.includes(secret), false)
  })

  it('answers odd requests without a fault', async () => {
    const clientId = await registerClient(service)
    const paths = [
      '/oauth/authorize',
      '/oauth/authorize?client_id=x',
      `/oauth/authorize?client_id=${clientId}&client_id=${clientId}`,
      '/oauth/authorize/nothing',
      '/oauth/device',
      '/oauth/device?user_code=%00',
      '/oauth/device/nothing',
      '/oauth/token',
      '/oauth/consent/nothing',
      '/.well-known/oauth-protected-resource/nothing',
    ]
    for (const path of paths) {
      const answer = await new TestBrowser(service).visit(path)
      assert.ok(answer.status < 500, `${path} ${answer.status}`)
    }
    for (const method of ['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE'])
      for (const path of [...paths, '/.well-known/oauth-authorization-server', '/oauth/register']) {
        const answer = await new TestBrowser(service).visit(path, { method })
        assert.ok(answer.status < 500, `${method} ${path} ${answer.status}`)
      }
    for (const [path, fields] of [
      ['/oauth/token', {}],
      ['/oauth/token', { grant_type: 'password', client_id: clientId, username: 'a', password: 'b' }],
      ['/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: 'hash:00' }],
      [
        '/oauth/token',
        {
          grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
          client_id: clientId,
          device_code: `hash:${'0'.repeat(64)}`,
        },
      ],
      ['/oauth/revoke', { client_id: clientId }],
      ['/oauth/device-code', { client_id: 'nobody' }],
      ['/oauth/device', { user_code: 'x' }],
    ] as const) {
      const answer = await postForm(service, path, fields)
      assert.ok(answer.status >= 200 && answer.status < 500, `${path} ${answer.status} ${await answer.text()}`)
    }
  })
})
