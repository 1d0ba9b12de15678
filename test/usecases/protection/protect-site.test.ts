import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { randomUUID } from 'node:crypto'
import { hashKey } from '../../../src/model/key-format.js'
import type { Role } from '../../../src/model/rights/roles.js'
import { git, withClone } from '../../support/git.js'
import { connectAgent } from '../../support/people/connect-agent.js'
import { SoftBrowser } from '../../support/people/passkey-steps.js'
import { signInAs, type SignedIn } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { until } from '../../support/within.js'
import { type Filled, prepareSite, protect } from './prepare-site.js'

interface Coded {
  body: { error?: { code: string } }
}
const codeOf = async (asked: PromiseLike<Coded>) => (await asked).body.error?.code

describe('the protection of a site', () => {
  let service: TestService
  let site: Filled
  before(async () => {
    service = await startOwnService({ env: { MAX_REQUESTS_PER_MINUTE: '0' } })
  })
  after(() => service.stop())
  beforeEach(async () => {
    site = await prepareSite(service)
  })

  const pathOf = ({ siteId }: Filled) => `/sites/${siteId}/protection`
  const set = async ({ send }: SignedIn, body: object) => await codeOf(send('put', pathOf(site)).send(body))
  const actionsOf = async (action: string) => {
    const { body } = await site.owner.send('get', '/audit').expect(200)
    return (body as { data: { action: string; details: Record<string, unknown> }[] }).data.filter(
      (entry) => entry.action === action,
    )
  }

  describe('is set', () => {
    it('by an owner in a session, who reads it again; every reader sees it at the site', async () => {
      const { key, id } = await site.service.mint({ scopes: ['write'], label: 'Build server' })
      await signInAs(site.service, 'admin')
      const body = { protection: 'all', approvers: 'admin', exceptedKeys: [id] }
      const { body: answer } = await site.owner.send('put', pathOf(site)).send(body).expect(200)
      const exceptedKeys = [{ id, label: 'Build server' }]
      const expected = { siteId: site.siteId, ...body, exceptedKeys, couldApprove: 2 }
      assert.deepEqual((answer as { data: object }).data, expected)
      const { body: read } = await site.owner.send('get', pathOf(site)).expect(200)
      assert.deepEqual((read as { data: object }).data, expected)
      const { body: seen } = await site.service.api(key).get(`/sites/${site.siteId}`).expect(200)
      assert.equal((seen as { data: { protection: string } }).data.protection, 'all')
      const [entry] = await actionsOf('protection.set')
      assert.deepEqual(entry?.details, { slug: site.service.site.slug, before: 'none', ...body })
    })

    it('by nobody else: no key, no agent, no tool, no other role, no session without a person, and no lent session', async () => {
      const body = { protection: 'none' }
      await protect(site, { protection: 'agents' })
      const { key } = await site.service.mint({ scopes: ['admin'] })
      const own = await site.owner.send('post', '/keys').send({ label: 'x', scopes: ['admin'], personal: true })
      const { access_token: agent } = await connectAgent(site.service, site.owner, { choice: { scope: 'sites' } })
      for (const bearer of [key, (own.body as { data: { key: string } }).data.key, agent])
        for (const method of ['get', 'put'] as const) {
          const asked = site.service.api(bearer)[method](pathOf(site))
          assert.match(
            (await codeOf(method === 'put' ? asked.send(body) : asked)) ?? '',
            /forbidden_role|insufficient_scope|unauthenticated/,
          )
        }
      for (const role of ['viewer', 'author', 'editor', 'admin'] as Role[])
        assert.match((await set(await signInAs(site.service, role), body)) ?? '', /forbidden_role|insufficient_scope/)
      assert.equal(await set(await sessionWithoutPerson(), body), 'person_required')
      const lent = await lentSession()
      assert.equal(await set(lent, body), 'fresh_proof_required')
      assert.equal(await codeOf(lent.send('get', pathOf(site))), 'borrowed_session')
      const { body: read } = await site.owner.send('get', pathOf(site)).expect(200)
      assert.equal((read as { data: { protection: string } }).data.protection, 'agents')
    })

    it('to all only while two people could approve, and stays so when one is left', async () => {
      const { owner } = site
      assert.equal(await set(owner, { protection: 'all' }), 'conflict')
      const limited = await signInAs(site.service, 'editor', { sites: [site.siteId] })
      await signInAs(site.service, 'author')
      assert.equal(await set(owner, { protection: 'all', approvers: 'admin' }), 'conflict')
      assert.equal(await set(owner, { protection: 'all' }), undefined)
      await owner.send('delete', `/members/${limited.userId}`).expect(200)
      const { body } = await owner.send('get', pathOf(site)).expect(200)
      const { protection, couldApprove } = (body as { data: { protection: string; couldApprove: number } }).data
      assert.deepEqual([protection, couldApprove], ['all', 1])
      assert.equal(await set(owner, { protection: 'agents' }), undefined)
    })

    it('with keys of the workspace alone', async () => {
      const other = await prepareSite(service)
      const { id } = await other.service.mint({ scopes: ['write'] })
      for (const exceptedKeys of [[id], [randomUUID()]])
        assert.equal(await set(site.owner, { protection: 'agents', exceptedKeys }), 'key_not_found')
    })

    async function sessionWithoutPerson(): Promise<SignedIn> {
      const secret = randomUUID()
      const times = { createdAt: '2026-01-01T00:00:00Z', expiresAt: '2999-01-01T00:00:00Z' }
      const { workspaceId, server } = site.service
      const row = { id: randomUUID(), hash: hashKey(secret), workspaceId, label: 'Owner', ...times }
      await server.service.services.catalog.sessions.create(row)
      return signedIn(`session=${secret}`)
    }

    async function lentSession(): Promise<SignedIn> {
      const member = await signInAs(site.service, 'owner', { name: 'Bob' })
      const made = await site.owner.send('post', `/members/${member.userId}/sign-in-link`).expect(200)
      const token = new URL((made.body as { data: { url: string } }).data.url).hash.slice(1)
      const browser = new SoftBrowser(site.service)
      await browser.send('post', '/session').send({ token }).expect(201)
      return signedIn(browser.cookie)
    }

    function signedIn(cookie: string): SignedIn {
      const send: SignedIn['send'] = (method, path) =>
        site.service.api('')[method](path).set({ Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' })
      return { userId: '', cookie, send }
    }
  })

  describe('counts for what began before it', () => {
    it('a body that is still coming', async () => {
      const before = site.head()
      const body = Buffer.from(JSON.stringify({ path: '/slow', html: 'x' }))
      const headers = {
        Authorization: `Bearer ${site.service.key}`,
        'Content-Type': 'application/json',
        'Content-Length': `${body.length}`,
      }
      const sent = request(`${site.service.origin}/api/v1/pages`, { method: 'POST', agent: false, headers })
      const answered = once(sent, 'response') as Promise<[IncomingMessage]>
      sent.write(body.subarray(0, 5))
      // The service takes requests in the order in which they come.
      for (let i = 0; i < 2; i++) await site.owner.send('get', '/me').expect(200)
      await protect(site, { protection: 'agents' })
      sent.end(body.subarray(5))
      const [answer] = await answered
      let text = ''
      for await (const chunk of answer) text += String(chunk)
      assert.deepEqual([answer.statusCode, site.head()], [403, before], text)
      assert.match(text, /approval_required/)
    })

    it('an open deploy, which can still be shown', async () => {
      const before = site.head()
      await protect(site, { protection: 'agents' })
      const publish = (query = '') => site.service.api().post(`/deploys/${site.deploy}/publish${query}`)
      assert.equal(await codeOf(publish()), 'approval_required')
      await publish('?dryRun=true').expect(200)
      assert.equal(site.head(), before)
    })

    it('a repeated request, which gets the answer of before and writes nothing', async () => {
      const post = () =>
        site.service.api().post('/pages').set('Idempotency-Key', 'once').send({ path: '/once', html: 'x' })
      const first = await post().expect(201)
      await protect(site, { protection: 'agents' })
      const before = site.head()
      const again = await post().expect(201)
      assert.deepEqual(again.body, { ...(first.body as object) })
      assert.equal(site.head(), before)
      assert.equal(
        await codeOf(site.service.api().post('/pages').set('Idempotency-Key', 'new').send({ path: '/x', html: 'x' })),
        'approval_required',
      )
    })

    it('until it ends', async () => {
      await protect(site, { protection: 'agents' })
      await protect(site, { protection: 'none' })
      await site.service.api().post('/pages').send({ path: '/free', html: 'x' }).expect(201)
    })
  })

  describe('leaves an emergency', () => {
    const revert = ({ send }: SignedIn, commit: string) => send('post', `/sites/${site.siteId}/revert`).send({ commit })

    it('to people who may write: they revert the newest commit alone, and the audit log says so', async () => {
      const editor = await signInAs(site.service, 'editor')
      await protect(site, { protection: 'all' })
      const newest = site.head()
      assert.equal(await codeOf(revert(editor, site.older)), 'approval_required')
      const both = { commits: [newest, site.older] }
      assert.equal(await codeOf(editor.send('post', `/sites/${site.siteId}/undo`).send(both)), 'approval_required')
      const { key } = await site.service.mint({ scopes: ['admin'] })
      const byKey = site.service.api(key).post(`/sites/${site.siteId}/revert`).send({ commit: newest })
      assert.equal(await codeOf(byKey), 'approval_required')
      assert.equal(site.head(), newest)
      assert.equal(await codeOf(revert(editor, newest)), undefined)
      assert.deepEqual(
        (await actionsOf('protection.emergency')).map(({ details }) => details),
        [{ commit: site.head() }],
      )
    })

    it('when a change request was just published: an editor reverts it as one, and the audit log names the editor', async () => {
      const editor = await signInAs(site.service, 'editor')
      const made = await site.service.api().post('/pages?changeRequest=new').send({ path: '/one', html: 'one' })
      const { changeRequest } = made.body as { changeRequest: string }
      await site.service.api().post(`/pages?changeRequest=${changeRequest}`).send({ path: '/two', html: 'two' })
      await protect(site, { protection: 'agents' })
      const pages = () => git(site.service.gitdir(site.service.site.slug), 'ls-tree', '--name-only', 'main')
      const before = pages()
      const published = await editor.send('post', `/change-requests/${changeRequest}/publish`).send({}).expect(200)
      const { commit } = (published.body as { data: { commit: string } }).data
      assert.notEqual(pages(), before)
      await protect(site, { protection: 'all' })
      assert.equal(await codeOf(revert(editor, commit)), undefined)
      assert.equal(pages(), before)
      const { body } = await site.owner.send('get', '/audit').expect(200)
      const entries = (body as { data: { action: string; actor: { userId?: string }; target: string }[] }).data
      const line = entries.find(({ action }) => action === 'protection.emergency')
      assert.deepEqual([line?.actor.userId, line?.target], [editor.userId, `site ${site.siteId}`])
      const { body: read } = await editor.send('get', `/change-requests/${changeRequest}`).expect(200)
      assert.equal((read as { data: { published: string } }).data.published, commit)
    })

    it('by undo too, and by nobody who may only propose', async () => {
      const [author, admin] = [await signInAs(site.service, 'author'), await signInAs(site.service, 'admin')]
      await protect(site, { protection: 'all' })
      const newest = site.head()
      assert.equal(await codeOf(revert(author, newest)), 'insufficient_scope')
      await admin
        .send('post', `/sites/${site.siteId}/undo`)
        .send({ commits: [newest] })
        .expect(200)
      assert.notEqual(site.head(), newest)
    })

    it('that walks no further back than the newest commit', async () => {
      const editor = await signInAs(site.service, 'editor')
      await protect(site, { protection: 'all' })
      const newest = site.head()
      const tree = () => git(site.service.gitdir(site.service.site.slug), 'rev-parse', 'main^{tree}')
      const trees = [tree()]
      for (let i = 0; i < 4; i++) {
        assert.equal(await codeOf(revert(editor, site.head())), undefined)
        trees.push(tree())
      }
      assert.equal(new Set(trees).size, 2)
      assert.equal(await codeOf(revert(editor, newest)), 'approval_required')
    })
  })

  describe('guards the people of its workspace', () => {
    const refused = 'protected_workspace'
    const acceptAs = (name: string, token: string) =>
      new SoftBrowser(site.service).send('post', '/session/invitation/accept').send({ token, name })

    it('from keys: they invite, change and remove nobody, and what they had invited ends', async () => {
      const { key } = await site.service.mint({ scopes: ['admin'] })
      const api = site.service.api(key)
      const member = await signInAs(site.service, 'viewer')
      const invited = await api.post('/invitations').send({ role: 'editor' }).expect(201)
      await protect(site, { protection: 'agents' })
      assert.equal(await codeOf(api.post('/invitations').send({ role: 'viewer' })), refused)
      assert.equal(await codeOf(api.patch(`/members/${member.userId}`).send({ role: 'editor' })), refused)
      assert.equal(await codeOf(api.delete(`/members/${member.userId}`)), refused)
      assert.equal(await codeOf(api.post(`/members/${member.userId}/sign-in-link`)), 'forbidden_role')
      const domain = { issuer: 'https://login.example', domain: 'example.org', role: 'editor' }
      assert.equal(await codeOf(api.put('/mail-domains').send(domain)), 'forbidden_role')
      const token = new URL((invited.body as { data: { url: string } }).data.url).hash.slice(1)
      const accept = () => acceptAs('Puppet', token)
      assert.equal(await codeOf(accept()), 'invitation_invalid')
      await protect(site, { protection: 'none' })
      await accept().expect(201)
    })

    it('from admins, who make nobody who could approve under all; owners do', async () => {
      const admin = await signInAs(site.service, 'admin')
      const member = await signInAs(site.service, 'viewer')
      const before = await admin.send('post', '/invitations').send({ role: 'editor' }).expect(201)
      await protect(site, { protection: 'all' })
      const invite = ({ send }: SignedIn, body: object) => codeOf(send('post', '/invitations').send(body))
      const change = ({ send }: SignedIn, role: Role) =>
        codeOf(send('patch', `/members/${member.userId}`).send({ role }))
      for (const role of ['editor', 'admin'] as const) {
        assert.equal(await invite(admin, { role }), refused)
        assert.equal(await change(admin, role), refused)
      }
      const token = new URL((before.body as { data: { url: string } }).data.url).hash.slice(1)
      assert.equal(await codeOf(acceptAs('Puppet', token)), 'invitation_invalid')
      const { body: made } = await site.service
        .api((await site.service.mint({ scopes: ['admin'] })).key)
        .post('/sites')
        .send({ slug: `other-${randomUUID().slice(0, 8)}` })
        .expect(201)
      const elsewhere = (made as { data: { id: string } }).data.id
      assert.equal(await invite(admin, { role: 'author' }), undefined)
      assert.equal(await invite(admin, { role: 'editor', sites: [elsewhere] }), undefined)
      assert.equal(await change(admin, 'author'), undefined)
      assert.equal(await change(site.owner, 'editor'), undefined)
      assert.equal(await invite(site.owner, { role: 'admin' }), undefined)
    })

    it('under agents from keys alone: admins in sessions go on', async () => {
      const admin = await signInAs(site.service, 'admin')
      await protect(site, { protection: 'agents' })
      assert.equal(await codeOf(admin.send('post', '/invitations').send({ role: 'editor' })), undefined)
    })
  })

  it('keeps the site from being deleted but by an owner who is signed in', async () => {
    const { key } = await site.service.mint({ scopes: ['admin'] })
    const admin = await signInAs(site.service, 'admin')
    const { body } = await site.service
      .api(key)
      .post('/sites')
      .send({ slug: `kept-${randomUUID().slice(0, 8)}` })
      .expect(201)
    const { id } = (body as { data: { id: string } }).data
    await protect({ ...site, siteId: id }, { protection: 'agents' })
    assert.equal(await codeOf(site.service.api(key).delete(`/sites/${id}`)), 'forbidden_role')
    assert.equal(await codeOf(admin.send('delete', `/sites/${id}`)), 'forbidden_role')
    await site.owner.send('delete', `/sites/${id}`).expect(200)
  })

  it('holds no push by path of the operator, and the audit log names it', async () => {
    await protect(site, { protection: 'agents' })
    const gitdir = site.service.gitdir(site.service.site.slug)
    const before = site.head()
    await withClone(gitdir, (folder) => {
      git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'By path')
      git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'Again')
      git(folder, 'push', '--quiet', 'origin', 'HEAD:main')
    })
    const commit = site.head()
    const read = async () => {
      // Any reader makes the index follow.
      await site.service.api().get('/pages').expect(200)
      return await actionsOf('protection.push_by_path')
    }
    const found = await until(read, (entries) => entries.length > 0)
    assert.deepEqual(
      found.map(({ details }) => details),
      [{ before, commit, commits: 2 }],
    )
  })
})
