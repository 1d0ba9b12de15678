import assert from 'node:assert/strict'
import { join } from 'node:path'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { type Account, startProvider, type TestProvider } from '../../support/people/identity-provider.js'
import { type SignInService, startSignInService } from '../../support/people/desk-of-providers.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import { Visitor } from '../../support/people/visitor.js'

const ADA = { sub: 'ada', name: 'Ada Lovelace', email: 'Ada@Example.org', email_verified: true }

const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin' }

describe('signing in at an identity provider', () => {
  let provider: TestProvider
  let desk: SignInService

  before(async () => {
    provider = await startProvider('work')
    desk = await startSignInService([
      {
        ...provider.settings,
        roleClaim: 'groups',
        roles: { staff: { role: 'editor' }, boss: { role: 'admin' }, demo: { role: 'viewer', sites: ['demo'] } },
      },
    ])
    provider.meet(desk.at(''))
  })
  after(async () => {
    await desk.service.stop()
    await provider.stop()
  })

  const catalog = () => desk.service.server.service.services.catalog

  it('is offered by the sign-in screen, with names and issuers alone', async () => {
    const { body } = await desk.ask(new Visitor(), '/session/providers')
    assert.deepEqual(body.data, { providers: [{ id: 'work', name: 'Provider work', issuer: provider.issuer }] })
  })

  it('begins a session with the role of a claim, and leads to the page that was asked for', async () => {
    provider.person = { ...ADA, groups: ['staff'] }
    const visitor = new Visitor()
    const landed = await desk.enter(visitor, 'work', '?to=/sites/demo%3Ftab%3Dpages')
    assert.equal(landed.url, desk.at('/sites/demo?tab=pages'))
    const me = await desk.ask(visitor, '/api/v1/me')
    assert.equal(me.body.data.key.label, 'Ada Lovelace')
    assert.deepEqual(me.body.data.scopes, ['read', 'write'])
  })

  it('reads the role again at each sign-in, and takes it away when the claim is gone', async () => {
    const visitor = new Visitor()
    provider.person = { sub: 'grace', name: 'Grace', groups: ['boss'] }
    await desk.enter(visitor, 'work')
    assert.deepEqual((await desk.ask(visitor, '/api/v1/me')).body.data.scopes, ['read', 'write', 'admin'])
    provider.person = { sub: 'grace', name: 'Grace', groups: ['demo'] }
    await desk.enter(new Visitor(), 'work')
    assert.deepEqual((await desk.ask(visitor, '/api/v1/me')).body.data.scopes, ['read'], 'the first session has it too')
    provider.person = { sub: 'grace', name: 'Grace', groups: [] }
    await desk.enter(new Visitor(), 'work')
    assert.equal((await desk.ask(visitor, '/api/v1/me')).status, 401)
    const userId = catalog().identities.find(provider.issuer, 'grace')?.userId
    const entries = auditOf(desk.service.dataDir).filter(({ target }) => target === `user ${userId}`)
    assert.deepEqual(
      entries.map(({ details: { before, after } }) => [before?.role, after?.role]),
      [
        [undefined, 'admin'],
        ['admin', 'viewer'],
        ['viewer', undefined],
      ],
    )
  })

  it('touches only the rights of its own claims', async () => {
    provider.person = { sub: 'lise', name: 'Lise', groups: ['staff'] }
    await desk.enter(new Visitor(), 'work')
    const identity = catalog().identities.find(provider.issuer, 'lise')
    assert.ok(identity)
    const { workspaceId } = desk.service
    const byInvitation = { workspaceId, userId: identity.userId, role: 'viewer', sites: null } as const
    await catalog().members.give({ ...byInvitation, source: 'invitation' })
    provider.person = { sub: 'lise', name: 'Lise', groups: [] }
    const visitor = new Visitor()
    assert.equal((await desk.enter(visitor, 'work')).url, desk.at('/'))
    const member = (await catalog().members.list(workspaceId)).find(({ userId }) => userId === identity.userId)
    assert.deepEqual(member?.sources, [{ role: 'viewer', sites: null, source: 'invitation' }])
  })

  it('tells somebody without a role who they are and whom to ask, and stores nothing about them', async () => {
    provider.person = { sub: 'mallory', name: 'Mal\u202elory', email: 'm@elsewhere.example', email_verified: true }
    const visitor = new Visitor()
    assert.equal((await desk.enter(visitor, 'work')).url, desk.at('/sign-in'))
    const problem = await desk.problem(visitor)
    assert.deepEqual([problem?.code, problem?.isSignedIn], ['not_a_member', false])
    assert.deepEqual([problem?.name, problem?.email], ['Mallory', 'm@elsewhere.example'])
    assert.match(problem?.message ?? '', /Ask one of its owners for an invitation/)
    assert.equal(catalog().identities.find(provider.issuer, 'mallory'), undefined)
    assert.equal((await desk.ask(visitor, '/api/v1/me')).status, 401)
  })

  it('lets the people of a mail domain join, once an owner allows it, but only with a verified address', async () => {
    const owner = await signInAs(desk.service, 'owner')
    const admin = await signInAs(desk.service, 'admin')
    const domain = { issuer: provider.issuer, domain: 'Example.ORG', role: 'author' }
    const refused = await admin.send('put', '/mail-domains').send(domain).expect(403)
    assert.equal(refused.body.error.code, 'forbidden_role')
    await owner
      .send('put', '/mail-domains')
      .send({ ...domain, role: 'owner' })
      .expect(400)
    await owner
      .send('put', '/mail-domains')
      .send({ ...domain, issuer: 'https://other.example' })
      .expect(400)
    await owner.send('put', '/mail-domains').send(domain).expect(200)
    const comes = async (sub: string, email: string, isVerified: boolean) => {
      provider.person = { sub, name: sub, email, email_verified: isVerified }
      const visitor = new Visitor()
      await desk.enter(visitor, 'work')
      return (await desk.ask(visitor, '/api/v1/me')).status
    }
    assert.equal(await comes('unverified', 'u@example.org', false), 401)
    assert.equal(await comes('below', 'b@sub.example.org', true), 401)
    assert.equal(await comes('beside', 'b@notexample.org', true), 401)
    assert.equal(await comes('joined', 'j@EXAMPLE.org', true), 200)
    const members = await owner.send('get', '/members').expect(200)
    const joined = members.body.data.find(({ name }: { name: string }) => name === 'joined')
    assert.deepEqual([joined.role, joined.sources[0].source], ['author', 'domain'])
    const query = `?issuer=${encodeURIComponent(provider.issuer)}&domain=example.org`
    await owner.send('delete', `/mail-domains${query}`).expect(200)
    await owner.send('delete', `/mail-domains${query}`).expect(404)
    assert.equal(await comes('late', 'l@example.org', true), 401)
    assert.equal(await comes('joined', 'j@example.org', true), 200, 'members stay')
  })

  it('takes the invitation whose link the person opened, also one for the address that the provider verified', async () => {
    const owner = await signInAs(desk.service, 'owner')
    const invite = async (email?: string) => {
      const answer = await owner.send('post', '/invitations').send({ role: 'author', ...(email && { email }) })
      return new URL((answer.body as { data: { url: string } }).data.url).hash.slice(1)
    }
    const comes = async (person: Account, token: string) => {
      provider.person = person
      const visitor = new Visitor()
      await desk.enter(visitor, 'work', `?invitation=${token}`, OWN_PAGE)
      return await desk.ask(visitor, '/api/v1/me')
    }
    const ivy = { sub: 'ivy', name: 'Ivy', email: 'Ivy@Example.net', email_verified: true }
    const token = await invite('ivy@example.net')
    assert.equal((await comes({ ...ivy, sub: 'eve', email_verified: false }, token)).status, 401)
    const me = await comes(ivy, token)
    assert.deepEqual([me.body.data.person.name, me.body.data.person.role], ['Ivy', 'author'])
    assert.equal((await comes({ sub: 'late', name: 'Late' }, token)).status, 401)
    assert.equal((await comes({ sub: 'anybody', name: 'Anybody' }, await invite())).status, 200)
    for (const subject of ['eve', 'late']) assert.equal(catalog().identities.find(provider.issuer, subject), undefined)
  })

  it('takes no invitation of an address by one that only looks alike', async () => {
    const owner = await signInAs(desk.service, 'owner')
    const made = await owner
      .send('post', '/invitations')
      .send({ role: 'author', email: 'Kate@corp.example' })
      .expect(201)
    const token = new URL((made.body as { data: { url: string } }).data.url).hash.slice(1)
    const comes = async (sub: string, email: string) => {
      provider.person = { sub, name: sub, email, email_verified: true }
      const visitor = new Visitor()
      await desk.enter(visitor, 'work', `?invitation=${token}`, OWN_PAGE)
      return (await desk.ask(visitor, '/api/v1/me')).status
    }
    assert.equal(await comes('kelvin', '\u212aate@corp.example'), 401)
    assert.equal(await comes('kate', 'KATE@corp.example'), 200)
  })

  it('leads somebody who is in and goes back to the callback to the start', async () => {
    provider.person = { ...ADA, groups: ['staff'] }
    const visitor = new Visitor()
    const isBack = (url: string) => url.includes('/session/callback/')
    const { url } = await visitor.go(desk.at('/session/provider/work'), { until: isBack })
    assert.equal((await visitor.go(url)).url, desk.at('/'))
    assert.equal((await visitor.go(url)).url, desk.at('/'))
    assert.equal(await desk.problem(visitor), undefined)
    assert.equal((await visitor.copy().forget(desk.at(''), 'session').go(url)).url, desk.at('/sign-in'))
  })

  it('takes no invitation, and proves nothing, if another page leads the person here', async () => {
    const owner = await signInAs(desk.service, 'owner')
    const member = { sub: 'bob', name: 'Bob', email: 'bob@example.org', email_verified: true }
    provider.person = { ...member, groups: ['staff'] }
    const bob = new Visitor()
    await desk.enter(bob, 'work')
    const { body } = await owner.send('post', '/invitations').send({ role: 'admin' }).expect(201)
    const token = new URL(body.data.url as string).hash.slice(1)
    const { person } = (await desk.ask(bob, '/api/v1/me')).body.data
    for (const site of ['cross-site', 'same-site', 'none'])
      for (const query of [`?invitation=${token}`, '?prove=1', '?link=1']) {
        await desk.enter(bob, 'work', query, { 'Sec-Fetch-Site': site })
        assert.equal((await desk.problem(bob))?.code, 'cross_site_request', `${query} ${site}`)
      }
    assert.equal((await desk.ask(bob, '/api/v1/me')).body.data.person.role, person.role)
    await desk.enter(bob, 'work', `?invitation=${token}`, OWN_PAGE)
    assert.equal((await desk.ask(bob, '/api/v1/me')).body.data.person.role, 'admin')
  })

  it('makes one person of two browsers that come at the same time', async () => {
    provider.person = { sub: 'twin', name: 'Twin', groups: ['staff'] }
    const visitors = [new Visitor(), new Visitor(), new Visitor()]
    await Promise.all(visitors.map((visitor) => desk.enter(visitor, 'work')))
    for (const visitor of visitors) assert.equal((await desk.ask(visitor, '/api/v1/me')).status, 200)
    const members = await catalog().members.list(desk.service.workspaceId)
    assert.equal(members.filter(({ name }) => name === 'Twin').length, 1)
  })

  it('works in two tabs of one browser', async () => {
    provider.person = { ...ADA, groups: ['staff'] }
    const visitor = new Visitor()
    const isBack = (url: string) => url.includes('/session/callback/')
    const first = await visitor.go(desk.at('/session/provider/work?to=/keys'), { until: isBack })
    assert.equal((await desk.enter(visitor, 'work')).url, desk.at('/'))
    assert.equal((await visitor.go(first.url)).url, desk.at('/keys'))
    assert.equal((await desk.ask(visitor, '/api/v1/me')).status, 200)
  })
})

interface Entry {
  target: string
  details: { before?: { role: string } | null; after?: { role: string } | null }
}

/** Reads the audit log as another process does. */
function auditOf(dataDir: string): Entry[] {
  const sqlite = openSqlite(join(dataDir, 'catalog.db'), { synchronous: 'FULL', queryOnly: true })
  const rows = sqlite.prepare<{ entry: string }>('SELECT entry FROM audit_entries ORDER BY number').all([])
  sqlite.close()
  return rows.map(({ entry }) => JSON.parse(entry) as Entry)
}
