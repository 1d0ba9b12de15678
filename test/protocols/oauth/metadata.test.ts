import assert from 'node:assert/strict'
import supertest from 'supertest'
import {
  authorizeUrl,
  connectAgent,
  newVerifier,
  registerClient,
  TestBrowser,
} from '../../support/people/connect-agent.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'

describe('the way of a program to its token', () => {
  let service: TestService
  let passedMs = 0

  before(async () => {
    service = await startOwnService({ clock: () => new Date(Date.now() + passedMs) })
  })
  after(() => service.stop())

  const base = () => `http://localhost:${service.server.port}`
  const get = (path: string) => supertest(base()).get(path)

  it('begins with a 401 of the tools or the API, which pages of all origins may read', async () => {
    for (const resource of ['/mcp', '/api/v1']) {
      const path = resource === '/mcp' ? resource : `${resource}/pages`
      const refused = await get(path).set('Origin', 'https://app.example').expect(401)
      const metadata = `${base()}/.well-known/oauth-protected-resource${resource}`
      assert.equal(refused.headers['www-authenticate'], `Bearer resource_metadata="${metadata}"`)
      assert.match(refused.headers['access-control-expose-headers'] ?? '', /WWW-Authenticate/)
      const { body, headers } = await get(new URL(metadata).pathname).expect(200)
      assert.equal(body.resource, `${base()}${resource}`)
      assert.deepEqual(body.authorization_servers, [base()])
      assert.deepEqual(body.scopes_supported, ['read', 'propose', 'write', 'sites'])
      assert.equal(headers['access-control-allow-origin'], '*')
    }
    const root = await get('/.well-known/oauth-protected-resource').expect(200)
    assert.equal(root.body.resource, `${base()}/mcp`)
    await get('/.well-known/oauth-protected-resource/other').expect(404)
  })

  it('goes on with the metadata of the server', async () => {
    const { body } = await get('/.well-known/oauth-authorization-server').expect(200)
    assert.deepEqual(body, {
      issuer: base(),
      authorization_endpoint: `${base()}/oauth/authorize`,
      token_endpoint: `${base()}/oauth/token`,
      registration_endpoint: `${base()}/oauth/register`,
      revocation_endpoint: `${base()}/oauth/revoke`,
      device_authorization_endpoint: `${base()}/oauth/device-code`,
      scopes_supported: ['read', 'propose', 'write', 'sites', 'offline_access'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      token_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    })
  })

  it('tells a client that guesses the path of registration where to look', async () => {
    const { body } = await supertest(base()).post('/register').send({}).expect(404)
    assert.equal(body.error, 'invalid_client_metadata')
    assert.match(body.error_description, /register at http.*\/oauth\/register, .* needs an API key/)
  })

  it('lets the web pages of the client use the endpoints and the token, and no others', async () => {
    const origin = 'http://127.0.0.1:7777'
    const editor = await signInAs(service, 'editor')
    const resource = `${base()}/api/v1`
    const { access_token: token, refresh_token: refresh, clientId } = await connectAgent(service, editor, { resource })
    const read = (from: string) => get('/api/v1/pages').auth(token, { type: 'bearer' }).set('Origin', from)
    assert.equal((await read(origin).expect(200)).headers['access-control-allow-origin'], origin)
    await read('https://evil.example').expect(403)
    const fields = { grant_type: 'refresh_token', refresh_token: refresh, client_id: clientId }
    const refreshBy = (from: string) =>
      supertest(base()).post('/oauth/token').type('form').set('Origin', from).send(fields)
    const refused = await refreshBy('https://evil.example')
    assert.equal(refused.headers['access-control-allow-origin'], undefined)
    assert.equal((await refreshBy(origin)).headers['access-control-allow-origin'], origin)
    const asked = supertest(base()).options('/oauth/register').set('Origin', origin)
    assert.equal((await asked.expect(204)).headers['access-control-allow-origin'], '*')
  })

  it('forgets a client that nobody connected within a day, and keeps one that somebody did', async () => {
    const editor = await signInAs(service, 'editor')
    const unused = await registerClient(service)
    const { clientId } = await connectAgent(service, editor, { choice: { expiresInDays: null } })
    passedMs = 3 * 86_400_000
    const browser = new TestBrowser(service, editor.cookie)
    const refused = await browser.visit(authorizeUrl({ clientId: unused, verifier: newVerifier() }))
    assert.equal(refused.status, 400)
    assert.match(await refused.text(), /does not know the program/)
    assert.equal((await browser.visit(authorizeUrl({ clientId, verifier: newVerifier() }))).status, 303)
    passedMs = 0
  })

  it('ends with the time that its person chose', async () => {
    const editor = await signInAs(service, 'editor')
    const resource = `${base()}/api/v1`
    const { access_token: token } = await connectAgent(service, editor, { resource })
    await service.api(token).get('/pages').expect(200)
    passedMs = 3_700_000
    await service.api(token).get('/pages').expect(401)
    passedMs = 31 * 86_400_000
    assert.deepEqual(await service.server.service.services.catalog.agents.list(service.workspaceId, editor.userId), [])
    passedMs = 0
  })
})
