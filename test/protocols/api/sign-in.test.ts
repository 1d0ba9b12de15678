import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import supertest from 'supertest'
import { makeSignInToken } from '../../../src/usecases/sign-in/sign-in-link.js'
import { git } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'

const DAY = 86_400_000

describe('signing in at the dashboard', () => {
  let service: TestService
  let now = new Date()

  before(async () => {
    service = await startOwnService({ clock: () => now })
  })
  beforeEach(() => {
    now = new Date()
  })
  after(() => service.stop())

  const tokenOf = (workspaceId = service.workspaceId) =>
    makeSignInToken(service.server.service.services, workspaceId, { label: 'Ada' })
  const begin = (token: string, fields: Record<string, string> = {}) =>
    supertest(service.origin)
      .post('/session')
      .set({ 'Sec-Fetch-Site': 'same-origin', ...fields })
      .send({ token })
  const cookieOf = (answer: supertest.Response) => /^[^;]*/.exec(answer.get('Set-Cookie')?.[0] ?? '')?.[0] ?? ''
  const signIn = async (workspaceId?: string) => cookieOf(await begin(await tokenOf(workspaceId)).expect(201))
  const send = (cookie: string, method: 'get' | 'post' | 'delete', path: string) =>
    supertest(service.origin)[method](path).set({ Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' })
  const codeOf = (answer: supertest.Response) => (answer.body as { error?: { code: string } }).error?.code

  it('starts a session that may do everything in its workspace and is named in its commits', async () => {
    const cookie = await signIn()
    const me = await send(cookie, 'get', '/api/v1/me').expect(200)
    assert.deepEqual(me.body.data.scopes, ['read', 'write', 'admin'])
    await send(cookie, 'post', '/api/v1/pages').send({ path: '/from-dashboard', html: '<p>x</p>' }).expect(201)
    const [author, id] = git(
      service.gitdir(),
      'log',
      '-1',
      '--format=%an%n%(trailers:key=Session-Id,valueonly)',
      'main',
    ).split('\n')
    assert.deepEqual([author, id], ['Ada', me.body.data.key.id])
  })

  it('leaves a cookie that scripts and other sites do not get', async () => {
    const answer = await begin(await tokenOf()).expect(201)
    assert.match(
      answer.get('Set-Cookie')?.[0] ?? '',
      /^session=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    )
    assert.equal(answer.get('Cache-Control'), 'no-store')
  })

  it('leaves a cookie bound to the host over https', async () => {
    const secure = await startOwnService({ env: { BASE_URL: 'https://pages.example', SITE_DOMAIN: 'sites.test' } })
    try {
      const token = await makeSignInToken(secure.server.service.services, secure.workspaceId, { label: 'Ada' })
      const answer = await supertest(secure.origin)
        .post('/session')
        .set({ Origin: 'https://pages.example', Host: 'pages.example' })
        .send({ token })
        .expect(201)
      assert.match(
        answer.get('Set-Cookie')?.[0] ?? '',
        /^__Host-session=[\w-]+; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/,
      )
    } finally {
      await secure.stop()
    }
  })

  it('works once: if many open the link at the same time, one is signed in', async () => {
    const token = await tokenOf()
    const answers = await Promise.all(Array.from({ length: 10 }, () => begin(token)))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, ...Array<number>(9).fill(403)],
    )
    assert.equal(codeOf(await begin(token)), 'sign_in_link_invalid')
  })

  it('is refused fifteen minutes after the link was made, and with a token that was never made', async () => {
    const token = await tokenOf()
    now = new Date(now.getTime() + 15 * 60_000)
    assert.equal(codeOf(await begin(token).expect(403)), 'sign_in_link_invalid')
    assert.equal(codeOf(await begin('x'.repeat(43)).expect(403)), 'sign_in_link_invalid')
    assert.equal(codeOf(await begin('').expect(403)), 'sign_in_link_invalid')
    await supertest(service.origin).post('/session').set('Sec-Fetch-Site', 'same-origin').send({}).expect(400)
  })

  it('ends the session that the browser had before', async () => {
    const old = await signIn()
    const cookie = cookieOf(await begin(await tokenOf(), { Cookie: old }).expect(201))
    assert.notEqual(cookie, old)
    assert.equal(codeOf(await send(old, 'get', '/api/v1/me').expect(401)), 'unauthenticated')
    await send(cookie, 'get', '/api/v1/me').expect(200)
  })

  it('lasts thirty days', async () => {
    const cookie = await signIn()
    now = new Date(now.getTime() + 30 * DAY - 60_000)
    await send(cookie, 'get', '/api/v1/me').expect(200)
    now = new Date(now.getTime() + 120_000)
    await send(cookie, 'get', '/api/v1/me').expect(401)
  })

  it('is ended by signing out, here or everywhere, in the middle of work', async () => {
    const [one, two, three] = [await signIn(), await signIn(), await signIn()]
    const answer = await send(one, 'delete', '/session').expect(200)
    assert.match(answer.get('Set-Cookie')?.[0] ?? '', /^session=; .*Expires=Thu, 01 Jan 1970/)
    await send(one, 'get', '/api/v1/me').expect(401)
    await send(two, 'get', '/api/v1/me').expect(200)
    await send(two, 'delete', '/session?everywhere=true').expect(200)
    for (const cookie of [two, three]) {
      assert.equal(
        codeOf(await send(cookie, 'post', '/api/v1/pages').send({ path: '/late' }).expect(401)),
        'unauthenticated',
      )
    }
  })

  it('opens no other workspace', async () => {
    const { workspace } = await service.server.service.services.provisioner.createWorkspace('Strangers', 'strangers')
    const cookie = await signIn(workspace.id)
    await send(cookie, 'get', '/api/v1/pages').set('x-service-account-id', service.workspaceId).expect(404)
    await send(cookie, 'get', `/api/v1/sites/${service.site.id}`).expect(404)
  })

  it('keeps neither token nor cookie in the data directory', async () => {
    const token = await tokenOf()
    const secret = cookieOf(await begin(await tokenOf())).slice('session='.length)
    const files = readdirSync(service.dataDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.db/.test(name),
    )
    assert.ok(files.length > 0)
    for (const name of files) {
      const bytes = readFileSync(join(service.dataDir, name))
      assert.ok(!bytes.includes(token) && !bytes.includes(secret), name)
    }
  })

  describe('a request with the cookie', () => {
    let cookie: string
    before(async () => {
      cookie = await signIn()
    })

    const sent = (method: 'get' | 'post', fields: Record<string, string>) => {
      const client = supertest(service.origin)
      const test = method === 'get' ? client.get('/api/v1/me') : client.post('/api/v1/pages')
      return test.set({ Cookie: cookie, ...fields }).send(method === 'get' ? undefined : { path: `/p-${randomUUID()}` })
    }

    for (const [fields, get, post] of [
      [{ 'Sec-Fetch-Site': 'same-origin' }, 200, 201],
      [{ 'Sec-Fetch-Site': 'none' }, 200, 201],
      [{ 'Sec-Fetch-Site': 'same-site' }, 403, 403],
      [{ 'Sec-Fetch-Site': 'cross-site' }, 403, 403],
      [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'http://demo.localhost:8080' }, 403, 403],
      [{ Origin: 'null' }, 403, 403],
      [{}, 200, 403],
    ] as const) {
      it(`with ${JSON.stringify(fields)} gets ${get} for GET and ${post} for POST`, async () => {
        assert.equal((await sent('get', fields)).status, get)
        assert.equal((await sent('post', fields)).status, post)
      })
    }

    it('is accepted with the Origin that it is sent to', async () => {
      assert.equal((await sent('post', { Origin: service.origin })).status, 201)
    })

    it('is judged only by its key if it has one too', async () => {
      await sent('get', { Authorization: 'Bearer nobody', 'Sec-Fetch-Site': 'same-origin' }).expect(401)
      await sent('get', { Authorization: `Bearer ${service.key}`, 'Sec-Fetch-Site': 'cross-site' }).expect(200)
    })

    it('is refused with two session cookies', async () => {
      await supertest(service.origin).get('/api/v1/me').set('Cookie', `${cookie}; session=other`).expect(401)
    })
  })
})

describe('a key that is rotated', () => {
  let service: TestService
  let now = new Date()
  before(async () => {
    service = await startOwnService({ clock: () => now })
  })
  after(() => service.stop())

  it('stays valid together with the new one for the overlap, and then ends', async () => {
    const admin = (await service.mint({ scopes: ['admin'] })).key
    const old = await service.mint({ scopes: ['write'], label: 'robot', sites: [service.site.id] })
    const answer = await service.api(admin).post(`/keys/${old.id}/rotate`).send({ overlapSeconds: 60 }).expect(201)
    const { key, label, sites } = answer.body.data as { key: string; label: string; sites: string[] }
    assert.deepEqual([label, sites], ['robot', [service.site.id]])
    for (const each of [old.key, key]) await service.api(each).get('/pages').expect(200)
    now = new Date(now.getTime() + 61_000)
    await service.api(old.key).get('/pages').expect(401)
    await service.api(key).get('/pages').expect(200)
    await service.api(admin).post(`/keys/${old.id}/rotate`).send({}).expect(404)
  })

  it('never lives longer because of the rotation', async () => {
    const admin = (await service.mint({ scopes: ['admin'] })).key
    const end = new Date(Math.ceil(now.getTime() / 1000) * 1000 + 30_000).toISOString().replace('.000Z', 'Z')
    const old = await service.mint({ expiresAt: end })
    const answer = await service.api(admin).post(`/keys/${old.id}/rotate`).send({ overlapSeconds: 3600 }).expect(201)
    assert.equal((answer.body.data as { expiresAt: string }).expiresAt, end)
    now = new Date(now.getTime() + 40_000)
    await service.api(old.key).get('/pages').expect(401)
  })
})
