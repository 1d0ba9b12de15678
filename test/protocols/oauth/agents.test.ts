import assert from 'node:assert/strict'
import supertest from 'supertest'
import { git } from '../../support/git.js'
import {
  beginConsent,
  connectAgent,
  exchange,
  newVerifier,
  postForm,
  registerClient,
  TestBrowser,
} from '../../support/people/connect-agent.js'
import { signInAs, type SignedIn } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'

describe('an agent that a person connects by OAuth', () => {
  let service: TestService
  let owner: SignedIn
  let editor: SignedIn

  before(async () => {
    service = await startOwnService()
    owner = await signInAs(service, 'owner', { name: 'Olga' })
    editor = await signInAs(service, 'editor', { name: 'Edda' })
  })
  after(() => service.stop())

  const base = () => `http://localhost:${service.server.port}`
  const api = () => ({ resource: `${base()}/api/v1` })
  const get = (path: string, token: string) => supertest(base()).get(path).auth(token, { type: 'bearer' })
  const publish = (token: string, path: string) =>
    supertest(base()).post('/api/v1/pages').auth(token, { type: 'bearer' }).send({ path, html: '<p>x</p>' })
  const initialize = (token: string) =>
    supertest(base())
      .post('/mcp')
      .auth(token, { type: 'bearer' })
      .set('Accept', 'application/json, text/event-stream')
      .send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  const refresh = async (token: string, clientId: string) =>
    await postForm(service, '/oauth/token', { grant_type: 'refresh_token', refresh_token: token, client_id: clientId })

  it('publishes as its person, with the name of its program', async () => {
    const { access_token: token, scope, expires_in: seconds } = await connectAgent(service, editor, api())
    assert.equal(scope, 'read propose write')
    assert.equal(seconds, 3600)
    await publish(token, '/by-agent').expect(201)
    const shown = git(service.gitdir(), 'log', '-1', '--format=%an%n%(trailers:only)', 'main')
    assert.match(shown, /^Edda\n[^]*Agent: Test agent/)
    const me = await get('/api/v1/me', token).expect(200)
    assert.equal(me.body.data.kind, 'agent')
    assert.equal(me.body.data.client, 'Test agent')
    assert.equal(me.body.data.person.id, editor.userId)
  })

  it('does only what was allowed, and never more than its person may', async () => {
    const narrowed = await connectAgent(service, editor, { ...api(), choice: { scope: 'read' } })
    assert.equal(narrowed.scope, 'read')
    const refused = await publish(narrowed.access_token, '/narrowed').expect(403)
    assert.match(refused.body.error.message, /connect it again/)
    assert.match(refused.headers['www-authenticate'] ?? '', /error="insufficient_scope", scope="read propose write"/)
    await get('/api/v1/keys', narrowed.access_token).expect(403)

    const person = await signInAs(service, 'editor')
    const { access_token: token } = await connectAgent(service, person, api())
    await publish(token, '/before').expect(201)
    await owner.send('patch', `/members/${person.userId}`).send({ role: 'viewer' }).expect(200)
    assert.match((await publish(token, '/after').expect(403)).body.error.message, /Your role here is viewer/)
    await owner.send('delete', `/members/${person.userId}`).expect(200)
    await get('/api/v1/pages', token).expect(401)
  })

  it('uses only the sites that were chosen', async () => {
    const slug = `chosen-${Date.now().toString(36)}`
    const made = await owner.send('post', '/sites').send({ slug }).expect(201)
    const { access_token: token } = await connectAgent(service, editor, {
      ...api(),
      choice: { sites: [made.body.data.id] },
    })
    const seen = await get('/api/v1/sites', token).expect(200)
    assert.deepEqual(
      seen.body.data.map((site: { slug: string }) => site.slug),
      [slug],
    )
  })

  it('has a token for the tools, or for the API and git, and each refuses that of the other', async () => {
    const tools = await connectAgent(service, editor)
    await initialize(tools.access_token).expect(200)
    const foreign = await get('/api/v1/pages', tools.access_token).expect(401)
    assert.match(foreign.body.error.message, /is for http:\/\/localhost:\d+\/mcp only/)
    assert.match(foreign.headers['www-authenticate'] ?? '', /error="invalid_token", resource_metadata="[^"]*\/api\/v1"/)
    const ofApi = await connectAgent(service, editor, api())
    await initialize(ofApi.access_token).expect(401)
    const fetchWith = async (token: string) =>
      await fetch(`${base()}/git/${service.site.slug}.git/info/refs?service=git-upload-pack`, {
        headers: { Authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` },
      })
    assert.equal((await fetchWith(ofApi.access_token)).status, 200)
    const refused = await fetchWith(tools.access_token)
    assert.equal(refused.status, 401)
    assert.match(refused.headers.get('WWW-Authenticate') ?? '', /^Basic /)
  })

  it('ends when its program revokes a token', async () => {
    const { access_token: token, refresh_token: refreshToken, clientId } = await connectAgent(service, editor, api())
    const revoked = await postForm(service, '/oauth/revoke', { token: refreshToken, client_id: clientId })
    assert.equal(revoked.status, 200)
    await get('/api/v1/pages', token).expect(401)
  })

  it('is listed for its person and for admins, and ends with the next request once it is disconnected', async () => {
    const [one, other] = [await signInAs(service, 'editor'), await signInAs(service, 'editor')]
    const { access_token: token, refresh_token: refreshToken, clientId } = await connectAgent(service, one, api())
    await get('/api/v1/pages', token).expect(200)
    const [agent] = (await one.send('get', '/agents').expect(200)).body.data
    assert.equal(agent.client, 'Test agent')
    assert.deepEqual(agent.scopes, ['read', 'propose', 'write'])
    assert.ok(agent.lastUsedAt !== null)
    assert.deepEqual((await other.send('get', '/agents').expect(200)).body.data, [])
    const all = (await owner.send('get', '/agents').expect(200)).body.data as { id: string }[]
    assert.ok(all.some(({ id }) => id === agent.id))
    const member = await owner.send('get', `/members/${one.userId}`).expect(200)
    assert.deepEqual(
      member.body.data.agents.map((held: { name: string }) => held.name),
      ['Test agent'],
    )
    await other.send('delete', `/agents/${agent.id}`).expect(404)
    await one.send('delete', `/agents/${agent.id}`).expect(200)
    await get('/api/v1/pages', token).expect(401)
    assert.equal((await refresh(refreshToken, clientId)).status, 400)
    await one.send('delete', `/agents/${agent.id}`).expect(404)
  })

  it('ends with the membership of its person, also if the keys are handed over', async () => {
    const [leaving, heir] = [await signInAs(service, 'editor'), await signInAs(service, 'viewer')]
    const { access_token: token, refresh_token: old, clientId } = await connectAgent(service, leaving, api())
    await owner.send('delete', `/members/${leaving.userId}?handTo=${heir.userId}`).expect(200)
    await get('/api/v1/pages', token).expect(401)
    assert.equal((await refresh(old, clientId)).status, 400)
    assert.deepEqual((await heir.send('get', '/agents').expect(200)).body.data, [])
  })

  it('stays when its program is connected again, also for more', async () => {
    const person = await signInAs(service, 'editor')
    const before = await connectAgent(service, person, { ...api(), scope: 'read' })
    await publish(before.access_token, '/stepped-up').expect(403)
    const { clientId } = before
    const now = await connectAgent(service, person, { ...api(), scope: 'read propose write', clientId })
    await publish(now.access_token, '/stepped-up').expect(201)
    await get('/api/v1/pages', before.access_token).expect(200)
    assert.equal((await refresh(before.refresh_token, clientId)).status, 200)
    const listed = (await person.send('get', '/agents').expect(200)).body.data as { id: string; scopes: string[] }[]
    const first = listed.find(({ scopes }) => scopes.length === 1)
    assert.equal(listed.length, 2)
    await person.send('delete', `/agents/${first?.id}`).expect(200)
    await get('/api/v1/pages', before.access_token).expect(401)
    await get('/api/v1/pages', now.access_token).expect(200)
  })

  it('is listed with the browser in which its person connected it', async () => {
    const person = await signInAs(service, 'editor')
    await connectAgent(service, person, api())
    assert.equal((await person.send('get', '/agents').expect(200)).body.data[0].device, null)
    const browser = new TestBrowser(service, person.cookie)
    const path = await beginConsent(browser, { clientId: await registerClient(service), verifier: newVerifier() })
    const headers = {
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/json',
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
    }
    const body = JSON.stringify({ allow: true, sites: null })
    assert.equal((await browser.visit(`${path}/answer`, { method: 'POST', headers, body })).status, 200)
    const agents = (await person.send('get', '/agents').expect(200)).body.data as { device: string | null }[]
    assert.deepEqual(new Set(agents.map(({ device }) => device)), new Set([null, 'Firefox on Linux']))
  })

  it('gets a code that works once: a second use ends it', async () => {
    const { clientId, code, verifier, access_token: token } = await connectAgent(service, editor, api())
    assert.equal((await exchange(service, { clientId, code, verifier })).status, 400)
    await get('/api/v1/pages', token).expect(401)
  })
})
