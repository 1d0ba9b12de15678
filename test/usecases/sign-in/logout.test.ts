import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { generateKeyPair, type JWTPayload, UnsecuredJWT } from 'jose'
import { type HostileProvider, startHostileProvider } from '../../support/people/hostile-provider.js'
import { startProvider, type TestProvider } from '../../support/people/identity-provider.js'
import { type SignInService, startSignInService } from '../../support/people/desk-of-providers.js'
import { Visitor } from '../../support/people/visitor.js'
import { PATIENCE_MS, within } from '../../support/within.js'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const ROLES = { roleClaim: 'groups', roles: { staff: { role: 'editor' } } }

describe('signing out with an identity provider', () => {
  let provider: TestProvider
  let other: HostileProvider
  let desk: SignInService

  before(async () => {
    provider = await startProvider('work')
    other = await startHostileProvider('other')
    desk = await startSignInService([
      { ...provider.settings, ...ROLES },
      { ...other.settings, ...ROLES },
    ])
    provider.meet(desk.at(''))
    provider.person = { sub: 'ada', name: 'Ada', groups: ['staff'] }
  })
  beforeEach(() => {
    other.faults = {}
  })
  after(async () => {
    await desk.service.stop()
    await provider.stop()
    await other.stop()
  })

  const isIn = async (visitor: Visitor) => (await desk.ask(visitor, '/api/v1/me')).status === 200

  async function comeIn(id: string, sid?: string): Promise<Visitor> {
    if (sid !== undefined) other.faults = { claims: (claims) => ({ ...claims, sid }) }
    const visitor = new Visitor()
    await desk.enter(visitor, id)
    assert.ok(await isIn(visitor))
    return visitor
  }

  it('names the URL at which the session of the provider ends, and comes back to the sign-in screen', async () => {
    const visitor = await comeIn('work')
    const { body } = await desk.ask(visitor, '/session', 'DELETE')
    const url = new URL(body.data.endSessionUrl)
    assert.equal(url.origin, provider.issuer)
    assert.equal(url.searchParams.get('post_logout_redirect_uri'), desk.at('/sign-in'))
    assert.equal(url.searchParams.get('client_id'), 'palimpsest')
    assert.equal((await visitor.go(url.href)).status, 200)
    assert.ok(!(await isIn(visitor)))
  })

  it('works without a URL if the provider has none, or is down', async () => {
    const visitor = await comeIn('other')
    assert.deepEqual((await desk.ask(visitor, '/session', 'DELETE')).body.data, {})
    assert.ok(!(await isIn(visitor)))
  })

  it('is ordered by the provider when the person signs out there', async () => {
    const [one, two] = [await comeIn('work'), await comeIn('work')]
    const confirm = await one.go(`${provider.issuer}/session/end`)
    const secret = /name="xsrf" value="([^"]+)"/.exec(confirm.text)?.[1] ?? ''
    const done = await one.post(`${provider.issuer}/session/end/confirm`, { xsrf: secret, logout: 'yes' })
    assert.ok(done.status < 400, await done.text())
    await within(PATIENCE_MS, async () => assert.ok(!(await isIn(one))))
    assert.ok(await isIn(two), 'the session of another browser goes on')
  })

  const order = (claims: Record<string, unknown> = {}): JWTPayload => ({
    iss: other.issuer,
    aud: 'palimpsest',
    iat: Math.floor(Date.now() / 1000),
    exp: Math.floor(Date.now() / 1000) + 120,
    jti: randomUUID(),
    sub: 'eve',
    events: { [EVENT]: {} },
    ...claims,
  })
  const send = (token: string) =>
    fetch(desk.at('/session/backchannel-logout'), {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    })

  it('ends the sessions of the person, or the one that the token names', async () => {
    const [one, two, three] = [await comeIn('other', 'first'), await comeIn('other', 'second'), await comeIn('work')]
    const answer = await send(await other.sign(order({ sid: 'first' })))
    assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'no-store'])
    assert.deepEqual([await isIn(one), await isIn(two)], [false, true])
    assert.equal((await send(await other.sign(order()))).status, 200)
    assert.deepEqual([await isIn(two), await isIn(three)], [false, true])
    assert.equal((await send(await other.sign(order({ sub: 'nobody' })))).status, 200)
  })

  it('is refused to a token that is not exactly a logout token of the provider', async () => {
    const visitor = await comeIn('other', 'kept')
    const now = Math.floor(Date.now() / 1000)
    const { privateKey } = await generateKeyPair('RS256')
    const wrong: Record<string, string> = {
      'no token': 'x',
      unsigned: new UnsecuredJWT(order()).encode(),
      'another key': await other.sign(order(), privateKey),
      'the secret as key': await other.sign(order(), Buffer.from('a secret'.padEnd(40)), 'HS256'),
      'another audience': await other.sign(order({ aud: 'another' })),
      'another issuer': await other.sign(order({ iss: provider.issuer })),
      'an unknown issuer': await other.sign(order({ iss: 'https://nobody.example' })),
      'no event': await other.sign(order({ events: undefined })),
      'another event': await other.sign(order({ events: { 'https://other.example': {} } })),
      'a nonce': await other.sign(order({ nonce: 'x' })),
      'no id': await other.sign(order({ jti: undefined })),
      'no time': await other.sign(order({ iat: undefined })),
      'an old time': await other.sign(order({ iat: now - 3_600 })),
      'a later time': await other.sign(order({ iat: now + 3_600 })),
      expired: await other.sign(order({ exp: now - 60 })),
      'nobody named': await other.sign(order({ sub: undefined })),
    }
    for (const [what, token] of Object.entries(wrong)) {
      const answer = await send(token)
      assert.equal(answer.status, 400, what)
      assert.match(await answer.text(), /logout_token/)
    }
    assert.ok(await isIn(visitor))
    assert.equal((await fetch(desk.at('/session/backchannel-logout'))).status, 405)
    assert.equal(
      (await fetch(desk.at('/session/backchannel-logout'), { method: 'POST', body: 'x'.repeat(20_000) })).status,
      413,
    )
  })

  it('is ordered by a token once', async () => {
    const token = await other.sign(order())
    assert.equal((await send(token)).status, 200)
    const visitor = await comeIn('other')
    assert.equal((await send(token)).status, 400)
    assert.ok(await isIn(visitor))
  })
})
