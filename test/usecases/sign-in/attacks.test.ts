import assert from 'node:assert/strict'
import { generateKeyPair, type JWTPayload, UnsecuredJWT } from 'jose'
import { type Faults, type HostileProvider, startHostileProvider } from '../../support/people/hostile-provider.js'
import { startProvider, type TestProvider } from '../../support/people/identity-provider.js'
import { type SignInService, startSignInService } from '../../support/people/desk-of-providers.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import { Visitor } from '../../support/people/visitor.js'

const ROLES = { roleClaim: 'groups', roles: { staff: { role: 'editor' } } }

describe('an attack on signing in', () => {
  let good: TestProvider
  let evil: HostileProvider
  let desk: SignInService

  before(async () => {
    good = await startProvider('good')
    evil = await startHostileProvider('evil')
    desk = await startSignInService([
      { ...good.settings, ...ROLES },
      { ...evil.settings, ...ROLES },
    ])
    good.meet(desk.at(''))
    good.person = { sub: 'ada', name: 'Ada', groups: ['staff'] }
  })
  beforeEach(() => {
    evil.faults = {}
    evil.tokenRequests.length = 0
  })
  after(async () => {
    await desk.service.stop()
    await good.stop()
    await evil.stop()
  })

  const isBack = (url: string) => url.includes('/session/callback/')

  /** Returns the code of the refusal, and sees to it that the person is told a sentence and has no session. */
  async function refusal(visitor: Visitor, url?: string): Promise<string> {
    const landed = url === undefined ? undefined : await visitor.go(url)
    if (landed !== undefined) assert.deepEqual([landed.url, landed.status], [desk.at('/sign-in'), 200])
    const problem = await desk.problem(visitor)
    assert.ok(problem, 'the sign-in screen says nothing')
    assert.match(problem.message, /^[A-Z].*\.$/)
    assert.equal((await desk.ask(visitor, '/api/v1/me')).status, 401)
    return problem.code
  }

  async function refusalOf(faults: Faults): Promise<string> {
    evil.faults = faults
    const visitor = new Visitor()
    return await refusal(visitor, desk.at('/session/provider/evil'))
  }

  it('is not seen where there is none', async () => {
    for (const id of ['good', 'evil']) {
      const visitor = new Visitor()
      assert.equal((await desk.enter(visitor, id)).url, desk.at('/'))
      assert.equal((await desk.ask(visitor, '/api/v1/me')).status, 200)
    }
  })

  it('by mixing up two providers gets no code', async () => {
    evil.faults = {
      detour: (back) => {
        const query = new URLSearchParams({
          client_id: 'palimpsest',
          response_type: 'code',
          scope: 'openid',
          redirect_uri: desk.at('/session/callback/good'),
          state: back.searchParams.get('state') ?? '',
          code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
          code_challenge_method: 'S256',
        })
        return `${good.issuer}/auth?${query.toString()}`
      },
    }
    const visitor = new Visitor()
    const landed = await desk.enter(visitor, 'evil')
    assert.ok(landed.trail.some((url) => url.startsWith(desk.at('/session/callback/good?code='))))
    assert.equal(await refusal(visitor), 'sign_in_refused')
    assert.deepEqual(evil.tokenRequests, [])
  })

  it('by an answer with the name of another provider is refused (RFC 9207)', async () => {
    for (const issuer of [good.issuer, '', 'https://nobody.example']) {
      const visitor = new Visitor()
      const detour = (back: URL) => `${back.href}&iss=${encodeURIComponent(issuer)}`
      evil.faults = { detour }
      const code = await refusal(visitor, desk.at('/session/provider/evil')).catch(() => 'signed in')
      assert.equal(code, issuer === '' ? 'signed in' : 'sign_in_refused')
    }
    const visitor = new Visitor()
    const back = new URL((await visitor.go(desk.at('/session/provider/good'), { until: isBack })).url)
    back.searchParams.delete('iss')
    assert.equal(await refusal(visitor, back.href), 'sign_in_refused', 'a provider that says it always names itself')
  })

  it("by another person's code is refused", async () => {
    const [victim, attacker] = [new Visitor(), new Visitor()]
    const own = new URL((await attacker.go(desk.at('/session/provider/good'), { until: isBack })).url)
    const back = new URL((await victim.go(desk.at('/session/provider/good'), { until: isBack })).url)
    back.searchParams.set('code', own.searchParams.get('code') ?? '')
    assert.equal(await refusal(victim, back.href), 'sign_in_refused')
  })

  it("by making a victim's browser finish the attacker's sign-in is refused", async () => {
    const attacker = new Visitor()
    const { url } = await attacker.go(desk.at('/session/provider/good'), { until: isBack })
    assert.equal(await refusal(new Visitor(), url), 'sign_in_refused')
    const busy = new Visitor()
    await busy.go(desk.at('/session/provider/good'), { until: isBack })
    const { url: other } = await attacker.go(desk.at('/session/provider/good'), { until: isBack })
    assert.equal(await refusal(busy, other), 'sign_in_refused')
  })

  it('by using a state twice is refused, also by the browser that began', async () => {
    const visitor = new Visitor()
    const { url } = await visitor.go(desk.at('/session/provider/good'), { until: isBack })
    const copy = visitor.copy()
    assert.equal((await visitor.go(url)).url, desk.at('/'))
    assert.equal(await refusal(copy, url), 'sign_in_refused')
    for (const query of [
      '',
      '?state=x&code=y',
      `?state=${'x'.repeat(5_000)}`,
      '?error=access_denied',
      '?state=a&state=b',
    ])
      assert.equal(
        await refusal(visitor.copy().forget(desk.at(''), 'session'), desk.at(`/session/callback/good${query}`)),
        'sign_in_refused',
      )
  })

  it('by leading away after the sign-in is refused before it begins', async () => {
    for (const to of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'javascript:alert(1)',
      '/..//evil.example',
      '/\t/evil.example',
      '/.//evil.example',
      '/session/provider/evil',
      '/./session/provider/evil',
      `/${'x'.repeat(2_500)}`,
    ])
      assert.equal(
        await refusal(new Visitor(), desk.at(`/session/provider/good?to=${encodeURIComponent(to)}`)),
        'invalid_query',
        to,
      )
  })

  it('by a session planted before the sign-in gets nothing: it ends, and another begins', async () => {
    const { cookie } = await signInAs(desk.service, 'viewer')
    const planted = cookie.slice('session='.length)
    const visitor = new Visitor()
    visitor.setCookie(desk.at(''), 'session', planted)
    await desk.enter(visitor, 'good')
    assert.notEqual(visitor.cookie(desk.at(''), 'session'), planted)
    const attacker = new Visitor()
    attacker.setCookie(desk.at(''), 'session', planted)
    assert.equal((await desk.ask(attacker, '/api/v1/me')).status, 401)
  })

  const now = () => Math.floor(Date.now() / 1000)
  const forged: [string, Faults][] = [
    ['without a signature', { token: (claims) => new UnsecuredJWT(claims).encode() }],
    [
      'signed with another key',
      { token: async (claims) => evil.sign(claims, (await generateKeyPair('RS256')).privateKey) },
    ],
    [
      "signed with the client's secret",
      { token: (claims) => evil.sign(claims, Buffer.from(`a secret${' '.repeat(32)}`), 'HS256') },
    ],
    ['changed after signing', { token: async (claims) => changed(await evil.sign(claims)) }],
    ['for another client', { claims: (claims) => ({ ...claims, aud: 'another' }) }],
    ['for several clients, by another', { claims: (claims) => ({ ...claims, aud: ['palimpsest', 'b'], azp: 'b' }) }],
    ['of another issuer', { claims: (claims) => ({ ...claims, iss: 'https://other.example' }) }],
    ['with a nonce of before', { claims: (claims) => ({ ...claims, nonce: 'used' }) }],
    ['without a nonce', { claims: (claims) => without(claims, 'nonce') }],
    ['that has expired', { claims: (claims) => ({ ...claims, exp: now() - 60 }) }],
    ['without an expiry', { claims: (claims) => without(claims, 'exp') }],
    ['without a subject', { claims: (claims) => without(claims, 'sub') }],
    [
      'with an endless subject',
      { claims: (claims) => ({ ...claims, sub: 'x'.repeat(300) }), userinfo: { sub: 'x'.repeat(300) } },
    ],
    ['that is no token', { token: () => 'no token' }],
    ['while more is told about somebody else', { userinfo: { sub: 'ada', groups: ['staff'] } }],
  ]
  for (const [what, faults] of forged)
    it(`by an ID token ${what} is refused`, async () => {
      assert.equal(await refusalOf(faults), 'sign_in_refused')
    })

  it('by clocks that differ by less than half a minute is none', async () => {
    const visitor = new Visitor()
    evil.faults = { claims: (claims) => ({ ...claims, iat: now() + 20, exp: now() - 10 }) }
    assert.equal((await desk.enter(visitor, 'evil')).url, desk.at('/'))
  })

  it('by many tries is slowed down with a sentence', async () => {
    const many = await startSignInService([good.settings])
    try {
      const visitor = new Visitor()
      let code: string | undefined
      for (let tries = 0; tries < 70 && code !== 'too_many_requests'; tries += 1) {
        await many.enter(visitor, 'good', '?to=//evil.example')
        code = (await many.problem(visitor))?.code
      }
      assert.equal(code, 'too_many_requests')
    } finally {
      await many.service.stop()
    }
  })

  it('by many beginnings is slowed down with a sentence', async () => {
    const many = await startSignInService([good.settings])
    try {
      const rate = many.service.server.service.services.admission.rate('begun-sign-ins')
      for (let begun = 0; begun < 240; begun += 1) await rate.take('127.0.0.1')
      const visitor = new Visitor()
      assert.equal((await many.enter(visitor, 'good')).url, many.at('/sign-in'))
      assert.equal((await many.problem(visitor))?.code, 'too_many_requests')
    } finally {
      await many.service.stop()
    }
  })

  it('on the names of providers finds none', async () => {
    assert.equal(await refusal(new Visitor(), desk.at('/session/provider/nobody')), 'identity_provider_not_found')
    assert.equal((await new Visitor().go(desk.at('/session/provider/Good'))).status, 404)
    assert.equal((await new Visitor().send(desk.at('/session/provider/good'), {}, 'POST')).status, 405)
  })

  it('by a page of another origin adds no identity to an account', async () => {
    const visitor = new Visitor()
    await desk.enter(visitor, 'good')
    for (const site of ['cross-site', 'same-site', 'none']) {
      const answer = await visitor.send(desk.at('/session/provider/evil?link=1'), { 'Sec-Fetch-Site': site })
      assert.equal(answer.headers.get('location'), '/sign-in')
      assert.equal((await desk.problem(visitor))?.code, 'cross_site_request')
    }
  })
})

/** Returns the token with another subject and the old signature. */
function changed(token: string): string {
  const [header, payload = '', signature] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as JWTPayload
  return [header, Buffer.from(JSON.stringify({ ...claims, sub: 'ada' })).toString('base64url'), signature].join('.')
}

function without(claims: JWTPayload, name: string): JWTPayload {
  return Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name))
}
