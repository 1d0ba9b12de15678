import assert from 'node:assert/strict'
import supertest from 'supertest'
import { hashKey } from '../../../src/model/key-format.js'
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
  type Tokens,
} from '../../support/people/connect-agent.js'
import { signInAs, type SignedIn } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'

describe('the habits of programs that connect', () => {
  let service: TestService
  let owner: SignedIn
  let editor: SignedIn

  before(async () => {
    service = await startOwnService()
    owner = await signInAs(service, 'owner')
    editor = await signInAs(service, 'editor')
  })
  after(() => service.stop())

  const base = () => `http://localhost:${service.server.port}`
  const get = (path: string) => supertest(base()).get(path)
  const offered = async (person: SignedIn, scope?: string) => {
    const browser = new TestBrowser(service, person.cookie)
    const clientId = await registerClient(service)
    const asked = { clientId, verifier: newVerifier(), ...(scope !== undefined && { scope }) }
    const shown = await (await browser.ask(await beginConsent(browser, asked))).json()
    const { data } = shown as { data: { scope: string; workspaces: { scopes: string[] }[] } }
    return [data.scope, data.workspaces[0]?.scopes] as const
  }
  /** Asks for the consent, and returns the reason of the refusal. */
  const refused = async (extra: Record<string, string>, query = '') => {
    const clientId = await registerClient(service)
    const url = `${authorizeUrl({ clientId, verifier: newVerifier(), extra })}${query}`
    const answer = await new TestBrowser(service, editor.cookie).visit(url)
    assert.equal(answer.status, 400)
    return await answer.text()
  }

  it('are met by the same metadata at each place where they look', async () => {
    const known = (await get('/.well-known/oauth-authorization-server').expect(200)).body
    for (const resource of ['', '/mcp', '/mcp/', '/api/v1'])
      for (const name of ['oauth-authorization-server', 'openid-configuration'])
        for (const path of [`/.well-known/${name}${resource}`, `${resource.replace(/\/$/, '')}/.well-known/${name}`])
          assert.deepEqual((await get(path).expect(200)).body, known, path)
    for (const resource of ['/mcp', '/api/v1']) {
      const { body } = await get(`/.well-known/oauth-protected-resource${resource}/`).expect(200)
      assert.equal(body.resource, `${base()}${resource}`)
    }
    await get('/.well-known/oauth-authorization-server/other').expect(404)
  })

  it('may name the resource with a slash or in capitals', async () => {
    for (const resource of [`${base()}/api/v1/`, `${base().toUpperCase().replace('HTTP', 'http')}/api/v1`]) {
      const { access_token: token, refresh_token: old, clientId } = await connectAgent(service, editor, { resource })
      await service.api(token).get('/pages').expect(200)
      const fields = { grant_type: 'refresh_token', refresh_token: old, client_id: clientId, resource }
      const again = await postForm(service, '/oauth/token', fields)
      const { access_token: renewed } = (await again.json()) as Tokens
      await service.api(renewed).get('/pages').expect(200)
    }
  })

  it('are told the right resources in place of another one, and of several', async () => {
    const right = new RegExp(`resource must be ${base()}/mcp or ${base()}/api/v1, and only one of them`)
    for (const resource of [base(), `${base()}/other`, 'https://evil.example/mcp'])
      assert.match(await refused({ resource }), right)
    const both = `&resource=${encodeURIComponent(`${base()}/api/v1`)}`
    assert.match(await refused({ resource: `${base()}/mcp` }, both), right)
    const clientId = await registerClient(service, {
      redirect_uris: [],
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
    })
    const body = new URLSearchParams({ client_id: clientId, resource: `${base()}/mcp` })
    body.append('resource', `${base()}/api/v1`)
    const device = await fetch(`${base()}/oauth/device-code`, { method: 'POST', body })
    assert.equal(device.status, 400)
    assert.match(((await device.json()) as { error_description: string }).error_description, right)
  })

  it('may have words of OpenID Connect, which mean nothing here', async () => {
    const clientId = await registerClient(service)
    for (const extra of [
      { prompt: 'select_account' },
      { prompt: 'select_account consent' },
      { nonce: 'n' },
      { max_age: '0', ui_locales: 'de', login_hint: 'a@b.example', acr_values: 'x', claims_locales: 'de' },
      { scope: 'openid email profile', nonce: 'n' },
    ]) {
      const browser = new TestBrowser(service, editor.cookie)
      const verifier = newVerifier()
      const path = await beginConsent(browser, { clientId, verifier, extra })
      const code = (await answerConsent(browser, path, { allow: true, scope: 'write' })).searchParams.get('code') ?? ''
      const answer = await exchange(service, { clientId, code, verifier })
      assert.equal(((await answer.json()) as Tokens).scope, 'read propose write', JSON.stringify(extra))
    }
  })

  it('may name scopes of other services: the person gives what a program gets that names none', async () => {
    for (const scope of [undefined, 'claudeai', 'openid email profile', 'admin', 'offline_access'])
      assert.deepEqual(await offered(owner, scope), ['sites', ['read', 'propose', 'write', 'sites']], scope)
    assert.deepEqual(await offered(editor), ['sites', ['read', 'propose', 'write']])
    assert.equal((await offered(owner, 'claudeai read'))[0], 'read')
    assert.equal((await offered(owner, 'write something'))[0], 'write')
  })

  it('may have null for what they do not know when they register', async () => {
    const id = await registerClient(service, { grant_types: null, client_uri: null, scope: null, client_name: null })
    assert.match(id, /^[0-9a-f-]{36}$/)
    const answer = await fetch(`${base()}/oauth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ redirect_uris: null }),
    })
    assert.equal(((await answer.json()) as { error: string }).error, 'invalid_redirect_uri')
  })

  it('may have the wrong address of the tools, and are told the right one', async () => {
    const root = await supertest(base()).post('/').send({})
    assert.equal(root.status, 405)
    assert.match(root.text, /tools for agents are at \/mcp/)
    for (const method of ['get', 'post'] as const) {
      const old = await supertest(base())[method]('/sse').set('Accept', 'text/event-stream')
      assert.equal(old.status, 404)
      assert.match(old.body.error.message, /tools for agents are at \/mcp/)
    }
  })

  it('give sites only to a program of somebody who may make them, and with all sites', async () => {
    const resource = `${base()}/api/v1`
    const make = async (token: string, slug: string) =>
      await supertest(base()).post('/api/v1/sites').auth(token, { type: 'bearer' }).send({ slug })
    const maker = await connectAgent(service, owner, { resource, choice: { scope: 'sites' } })
    assert.equal(maker.scope, 'read propose write sites')
    assert.equal((await make(maker.access_token, 'by-an-agent')).status, 201)
    for (const [method, path] of [
      ['delete', `/sites/${service.site.id}`],
      ['get', '/keys'],
      ['get', '/members'],
    ] as const) {
      const answer = await supertest(base())[method](`/api/v1${path}`).auth(maker.access_token, { type: 'bearer' })
      assert.equal(answer.status, 403)
      assert.match(answer.body.error.message, /No agent may do this/)
    }
    const writer = await connectAgent(service, owner, { resource })
    const answer = await make(writer.access_token, 'by-a-writer')
    assert.equal(answer.status, 403)
    assert.match(answer.body.error.message, /connect it again and allow "Read, write, and make sites"/)
    assert.match(answer.headers['www-authenticate'] ?? '', /scope="read propose write sites"/)
    const browser = new TestBrowser(service, owner.cookie)
    const path = await beginConsent(browser, { clientId: writer.clientId, verifier: newVerifier() })
    const limited = await browser.ask(`${path}/answer`, { allow: true, scope: 'sites', sites: [service.site.id] })
    assert.equal(limited.status, 400)
    const own = await signInAs(service, 'editor')
    const second = new TestBrowser(service, own.cookie)
    const other = await beginConsent(second, { clientId: writer.clientId, verifier: newVerifier() })
    assert.equal((await second.ask(`${other}/answer`, { allow: true, scope: 'sites', sites: null })).status, 403)
    // The rights of the person at use count.
    const person = await signInAs(service, 'admin')
    const agent = await connectAgent(service, person, { resource, choice: { scope: 'sites' } })
    await owner.send('patch', `/members/${person.userId}`).send({ role: 'editor' }).expect(200)
    const demoted = await make(agent.access_token, 'after')
    assert.equal(demoted.status, 403)
    assert.match(demoted.body.error.message, /Your role here is editor/)
  })

  it('need the sites that a person chose: none named is not all', async () => {
    const browser = new TestBrowser(service, editor.cookie)
    const path = await beginConsent(browser, { clientId: await registerClient(service), verifier: newVerifier() })
    for (const choice of [{ allow: true }, { allow: true, sites: [] }]) {
      const answer = await browser.ask(`${path}/answer`, choice)
      assert.equal(answer.status, 400)
    }
    assert.equal((await answerConsent(browser, path, { allow: true })).origin, new URL(CALLBACK).origin)
  })

  it('get nothing by a token without a scope', async () => {
    const { access_token: token } = await connectAgent(service, editor, { resource: `${base()}/api/v1` })
    const { catalog } = service.server.service.services
    const name = { kind: 'AccessToken', id: token, hash: hashKey(token) }
    const item = catalog.oauthItems.find(name)
    const agentId = String(item?.payload['grantId'])
    const payload = { ...item?.payload, scope: '' }
    await catalog.oauthItems.put({ ...name, payload, agentId, expiresAt: 4_000_000_000, askedFrom: null })
    const answer = await supertest(base()).get('/api/v1/me').auth(token, { type: 'bearer' })
    assert.equal(answer.status, 403)
    assert.match(answer.body.error.message, /allows nothing/)
  })
})
