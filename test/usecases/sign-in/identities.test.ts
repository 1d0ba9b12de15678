import assert from 'node:assert/strict'
import { join } from 'node:path'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { startProvider, type TestProvider } from '../../support/people/identity-provider.js'
import { type HostileProvider, startHostileProvider } from '../../support/people/hostile-provider.js'
import { type SignInService, startSignInService } from '../../support/people/desk-of-providers.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import { Visitor } from '../../support/people/visitor.js'

const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin' }

describe('the identities of a person', () => {
  let provider: TestProvider
  let other: HostileProvider
  let desk: SignInService

  before(async () => {
    provider = await startProvider('work')
    other = await startHostileProvider('other')
    desk = await startSignInService([provider.settings, other.settings])
    provider.meet(desk.at(''))
  })
  beforeEach(() => {
    other.faults = {}
  })
  after(async () => {
    await desk.service.stop()
    await provider.stop()
    await other.stop()
  })

  /** A browser in which a new member with a sign-in link is signed in. */
  async function arrive(name: string): Promise<Visitor & { userId: string }> {
    const { cookie, userId } = await signInAs(desk.service, 'viewer', { name })
    const visitor = new Visitor()
    visitor.setCookie(desk.at(''), 'session', cookie.slice('session='.length))
    return Object.assign(visitor, { userId })
  }

  const add = (visitor: Visitor, id: string) =>
    visitor.go(desk.at(`/session/provider/${id}?link=1&to=/keys`), { fields: OWN_PAGE })
  const list = async (visitor: Visitor) => (await desk.ask(visitor, '/api/v1/me/identities')).body.data
  const remove = (visitor: Visitor, id: string) => desk.ask(visitor, `/api/v1/me/identities/${id}`, 'DELETE')

  it('are added from the profile, and are ways in from then on', async () => {
    const ada = await arrive('Ada')
    provider.person = { sub: 'ada', name: 'Ada L.', email: 'ada@example.org', email_verified: true }
    assert.equal((await add(ada, 'work')).url, desk.at('/keys'))
    assert.equal((await add(ada, 'work')).url, desk.at('/keys'), 'once more changes nothing')
    const [identity, ...more] = await list(ada)
    assert.deepEqual([identity.provider, identity.email, more.length], ['Provider work', 'ada@example.org', 0])
    const elsewhere = new Visitor()
    assert.equal((await desk.enter(elsewhere, 'work')).url, desk.at('/'))
    assert.equal((await desk.ask(elsewhere, '/api/v1/me')).body.data.key.label, 'Ada')
  })

  it('of one person are never those of another', async () => {
    const [bea, carl] = [await arrive('Bea'), await arrive('Carl')]
    provider.person = { sub: 'bea' }
    await add(bea, 'work')
    assert.equal((await add(carl, 'work')).url, desk.at('/sign-in'))
    const problem = await desk.problem(carl)
    assert.deepEqual([problem?.code, problem?.isSignedIn], ['identity_taken', true])
    assert.deepEqual(await list(carl), [])
    const [identity] = await list(bea)
    assert.equal((await remove(carl, identity.id)).status, 404)
  })

  it('with the same address are different ones: an address proves nothing', async () => {
    provider.person = { sub: 'dora', email: 'ada@example.org', email_verified: true }
    const visitor = new Visitor()
    await desk.enter(visitor, 'work')
    assert.equal((await desk.problem(visitor))?.code, 'not_a_member')
  })

  it('can be removed, but not the last way in unless there is a passkey', async () => {
    const emil = await arrive('Emil')
    provider.person = { sub: 'emil' }
    await add(emil, 'work')
    await add(emil, 'other')
    const [first, second] = await list(emil)
    const both = await Promise.all([remove(emil, first.id), remove(emil, second.id)])
    assert.deepEqual(
      both.map(({ status }) => status).toSorted((one, two) => one - two),
      [200, 409],
    )
    const [left] = await list(emil)
    assert.equal((await remove(emil, left.id)).body.error.code, 'last_way_in')
    await addPasskey(emil.userId)
    assert.equal((await remove(emil, left.id)).status, 200)
    assert.deepEqual(await list(emil), [])
  })

  it('prove again who the person is: only their own, and only by signing in anew', async () => {
    const fay = await arrive('Fay')
    const { sessions } = desk.service.server.service.services.catalog
    const provenAt = async () => {
      const [session] = await sessions.listOf(fay.userId)
      return session?.provenAt
    }
    provider.person = { sub: 'fay' }
    await add(fay, 'work')
    const [session] = await sessions.listOf(fay.userId)
    await forgetProof(session?.id ?? '')
    const prove = (id: string) => fay.go(desk.at(`/session/provider/${id}?prove=1&to=/keys`), { fields: OWN_PAGE })
    const landed = await prove('work')
    assert.equal(landed.url, desk.at('/keys'))
    assert.ok(landed.trail.some((url) => url.includes('max_age=0') && url.includes('prompt=login')))
    assert.notEqual(await provenAt(), null)

    await add(fay, 'other')
    await forgetProof(session?.id ?? '')
    await add(fay, 'other')
    assert.equal((await desk.problem(fay))?.code, 'fresh_proof_required', 'to add an account')
    const now = () => Math.floor(Date.now() / 1000)
    other.faults = { claims: (claims) => ({ ...claims, sub: 'else', auth_time: now() }), userinfo: { sub: 'else' } }
    await prove('other')
    assert.equal((await desk.problem(fay))?.code, 'sign_in_refused')
    assert.equal(await provenAt(), null)
    for (const auth_time of [undefined, now() - 3_600]) {
      other.faults = { claims: (claims) => ({ ...claims, ...(auth_time !== undefined && { auth_time }) }) }
      await prove('other')
      assert.equal((await desk.problem(fay))?.code, 'sign_in_refused')
      assert.equal(await provenAt(), null)
    }
    other.faults = { claims: (claims) => ({ ...claims, auth_time: now() }) }
    await prove('other')
    assert.notEqual(await provenAt(), null)
  })

  it('prove no more at a sign-in than the provider says: it may have asked for nothing', async () => {
    const ida = await arrive('Ida')
    other.faults = { claims: (claims) => ({ ...claims, sub: 'ida' }), userinfo: { sub: 'ida' } }
    await add(ida, 'other')
    const { sessions } = desk.service.server.service.services.catalog
    const now = Math.floor(Date.now() / 1000)
    for (const [authTime, expected] of [
      [now - 3_600, now - 3_600],
      [now + 3_600, now],
      [1.5, 1],
    ] as const) {
      other.faults = {
        claims: (claims) => ({ ...claims, sub: 'ida', auth_time: authTime }),
        userinfo: { sub: 'ida' },
      }
      const visitor = new Visitor()
      assert.equal((await desk.enter(visitor, 'other')).url, desk.at('/'))
      const session = (await sessions.listOf(ida.userId)).find(({ means }) => means === 'provider')
      const difference = Math.abs(Date.parse(session?.provenAt ?? '') / 1000 - expected)
      assert.ok(difference < 30, `${authTime}: ${session?.provenAt}`)
      await sessions.endAllOf(ida.userId)
    }
  })

  it('are added and proven only by somebody who is signed in, and by the session that began', async () => {
    for (const wish of ['link=1', 'prove=1']) {
      const visitor = new Visitor()
      await visitor.go(desk.at(`/session/provider/work?${wish}`), { fields: OWN_PAGE })
      assert.equal((await desk.problem(visitor))?.code, 'unauthenticated')
    }
    const [gil, hal] = [await arrive('Gil'), await arrive('Hal')]
    provider.person = { sub: 'gil' }
    const isBack = (url: string) => url.includes('/session/callback/')
    const { url } = await gil.go(desk.at('/session/provider/work?link=1'), { fields: OWN_PAGE, until: isBack })
    gil.setCookie(desk.at(''), 'session', hal.cookie(desk.at(''), 'session') ?? '')
    await gil.go(url)
    assert.equal((await desk.problem(gil))?.code, 'sign_in_refused')
    assert.deepEqual(await list(hal), [])
  })

  async function forgetProof(sessionId: string): Promise<void> {
    await run(`UPDATE sessions SET proven_at = NULL WHERE id = '${sessionId}'`)
  }

  async function addPasskey(userId: string): Promise<void> {
    await run(
      `INSERT INTO passkeys (id, user_id, credential_id, public_key, algorithm, counter, rp_id, name, created_at)
       VALUES ('${userId}', '${userId}', '${userId}', 'key', 'ES256', 0, 'localhost', 'Phone', '2026-11-21T10:00:00Z')`,
    )
  }

  /** Changes the catalog as another process does. */
  async function run(sql: string): Promise<void> {
    const sqlite = openSqlite(join(desk.service.dataDir, 'catalog.db'), { synchronous: 'FULL' })
    sqlite.exec(sql)
    sqlite.close()
  }
})
