import assert from 'node:assert/strict'
import { auditEntries } from '../../support/people/audit-entries.js'
import { addPasskey, assertRefused, placeOf, SoftBrowser } from '../../support/people/passkey-steps.js'
import { signInAs, signInAgain, type SignedIn } from '../../support/people/sign-in-as.js'
import { SoftPasskey } from '../../support/people/soft-passkey.js'
import { startOwnService, type TestService } from '../../support/service.js'

const MINUTE = 60_000

describe('passkeys', () => {
  let service: TestService
  let now = new Date()
  let ada: SignedIn
  let passkey: SoftPasskey

  before(async () => {
    service = await startOwnService({ clock: () => now })
    ada = await signInAs(service, 'owner', { name: 'Ada' })
    passkey = await addPasskey(service, ada)
  })
  after(() => service.stop())

  it('sign in without a name, with all that the role allows', async () => {
    const browser = new SoftBrowser(service)
    const answer = await browser.signIn(passkey, ada.userId)
    assert.equal(answer.status, 201, answer.text)
    assert.equal(answer.body.data.label, 'Ada')
    const me = await browser.send('get', '/api/v1/me').expect(200)
    assert.deepEqual(me.body.data.person, { id: ada.userId, name: 'Ada', role: 'owner' })
  })

  it('are listed with names and last uses, renamed and removed', async () => {
    const bea = await signInAs(service, 'editor', { name: 'Bea' })
    const one = await addPasskey(service, bea)
    await addPasskey(service, bea)
    assert.equal((await new SoftBrowser(service).signIn(one, bea.userId)).status, 201)
    const listed = (await bea.send('get', '/me/passkeys').expect(200)).body.data
    const rows = listed as { id: string; host: string; works: boolean; lastUsedAt: string | null }[]
    assert.deepEqual(
      rows.map(({ host, works }) => [host, works]),
      [
        ['localhost', true],
        ['localhost', true],
      ],
    )
    assert.equal(rows.filter(({ lastUsedAt }) => lastUsedAt !== null).length, 1)
    const used = rows.find(({ lastUsedAt }) => lastUsedAt !== null)
    const path = `/me/passkeys/${used?.id}`
    await bea.send('patch', path).send({ name: 'My telephone' }).expect(200)
    const renamed = (await bea.send('get', '/me/passkeys').expect(200)).body.data as { id: string; name: string }[]
    assert.equal(renamed.find(({ id }) => id === used?.id)?.name, 'My telephone')
    await ada.send('delete', path).expect(404)
    await bea.send('delete', path).expect(200)
    assertRefused(await bea.send('delete', path), 'passkey_not_found', /GET \/me\/passkeys/)
    assertRefused(await new SoftBrowser(service).signIn(one, bea.userId), 'passkey_refused', /was removed/)
  })

  it('are added only once, and only by the session that asked', async () => {
    const options = await ada.send('post', '/me/passkeys/options').expect(200)
    assert.deepEqual(options.body.data.exclude, [passkey.id.toString('base64url')])
    const { attestationObject: _, ...again } = passkey.register(options.body.data.challenge, placeOf(service))
    const other = await signInAgain(service, ada.userId)
    assertRefused(await other.send('post', '/me/passkeys').send(again), 'passkey_refused', /is over/)
    assertRefused(await ada.send('post', '/me/passkeys').send(again), 'conflict', /there already/)
    assertRefused(await ada.send('post', '/me/passkeys').send(again), 'passkey_refused', /is over/)
  })

  it('are for people alone: keys have none', async () => {
    const { key } = await service.mint({ scopes: ['admin'] })
    for (const [method, path] of [
      ['get', '/me/passkeys'],
      ['post', '/me/passkeys/options'],
      ['get', '/me/sessions'],
      ['delete', '/me/sessions'],
    ] as const)
      assertRefused(await service.api(key)[method](path), 'person_required', /sign in at the dashboard/)
  })

  describe('attacked', () => {
    it('refuse an answer that was used before, also in the same browser', async () => {
      const browser = new SoftBrowser(service)
      const answer = passkey.answer(await browser.ask(), ada.userId, placeOf(service))
      assert.equal((await browser.answer(answer)).status, 201)
      assertRefused(await browser.answer(answer), 'passkey_refused', /is over: try again/)
    })

    it('refuse an answer to the question of another browser', async () => {
      const answer = passkey.answer(await new SoftBrowser(service).ask(), ada.userId, placeOf(service))
      assertRefused(await new SoftBrowser(service).answer(answer), 'passkey_refused', /is over/)
      const other = new SoftBrowser(service)
      await other.ask()
      assertRefused(await other.answer(answer), 'passkey_refused', /is over/)
    })

    it('refuse a challenge that nobody asked, and one that is five minutes old', async () => {
      const browser = new SoftBrowser(service)
      const challenge = await browser.ask()
      const forged = passkey.answer('A'.repeat(43), ada.userId, placeOf(service))
      assertRefused(await browser.answer(forged), 'passkey_refused', /is over/)
      now = new Date(now.getTime() + 5 * MINUTE)
      const late = passkey.answer(challenge, ada.userId, placeOf(service))
      assertRefused(await browser.answer(late), 'passkey_refused', /is over/)
    })

    it('refuse a wrong origin, a wrong host, a frame, and a person who was not verified', async () => {
      for (const wrong of [
        { origin: 'https://evil.example' },
        { rpId: 'evil.example' },
        { crossOrigin: true },
        { flags: 1 },
      ])
        assertRefused(
          await new SoftBrowser(service).signIn(passkey, ada.userId, wrong),
          'passkey_refused',
          /is not right: try again/,
        )
    })

    it('refuse an answer that names another person', async () => {
      const eve = await signInAs(service, 'viewer', { name: 'Eve' })
      const hers = await addPasskey(service, eve)
      assertRefused(await new SoftBrowser(service).signIn(hers, ada.userId), 'passkey_refused', /another person/)
    })

    it('refuse a copy, whose count goes back, and tell it in the audit log', async () => {
      const carl = await signInAs(service, 'editor', { name: 'Carl' })
      const counting = await addPasskey(service, carl)
      const at = async (counter: number) => await new SoftBrowser(service).signIn(counting, carl.userId, { counter })
      assert.equal((await at(5)).status, 201)
      assertRefused(await at(5), 'passkey_refused', /may have been copied/)
      assertRefused(await at(3), 'passkey_refused', /may have been copied/)
      assertRefused(await at(0), 'passkey_refused', /may have been copied/)
      assert.equal((await at(6)).status, 201)
      const entries = auditEntries(service).filter(({ action }) => action === 'passkey.refuse')
      assert.deepEqual(
        entries.map(({ details }) => [details['userId'], details['counter'], details['answered']]),
        [
          [carl.userId, 5, 5],
          [carl.userId, 5, 3],
          [carl.userId, 5, 0],
        ],
      )
    })

    it('take 0 after 0, as passkeys do that several devices share', async () => {
      for (let round = 0; round < 3; round++)
        assert.equal((await new SoftBrowser(service).signIn(passkey, ada.userId)).status, 201)
    })

    it('start a session with a new secret, and end the one that the browser was given', async () => {
      const eve = await signInAs(service, 'viewer', { name: 'Eve' })
      const browser = new SoftBrowser(service, eve.cookie)
      assert.equal((await browser.signIn(passkey, ada.userId)).status, 201)
      assert.ok(!browser.cookie.includes(eve.cookie))
      await eve.send('get', '/me').expect(401)
      const unknown = new SoftBrowser(service, `session=${'x'.repeat(43)}`)
      assert.equal((await unknown.signIn(passkey, ada.userId)).status, 201)
      assert.ok(!unknown.cookie.includes('x'.repeat(43)))
    })

    it('answer every malformed body with a sentence', async () => {
      const browser = new SoftBrowser(service)
      const good = passkey.answer(await browser.ask(), ada.userId, placeOf(service))
      for (const body of [{}, [], { ...good, signature: 1 }, { ...good, more: 1 }, { ...good, clientDataJSON: '%' }])
        assertRefused(await browser.send('post', '/session/passkey').send(body), 'invalid_body', /./)
      for (const change of [{ clientDataJSON: 'AAAA' }, { clientDataJSON: 'bnVsbA' }, { clientDataJSON: 'e30' }])
        assertRefused(await browser.answer({ ...good, ...change }), 'passkey_refused', /./)
      await browser.send('get', '/session/passkey').expect(405)
    })

    it('let no page of another origin send an answer', async () => {
      const answer = await new SoftBrowser(service).send('post', '/session/passkey').set('Sec-Fetch-Site', 'cross-site')
      assertRefused(answer, 'cross_site_request', /dashboard/)
    })

    it('make an address wait that begins too many sign-ins', async () => {
      const own = await startOwnService()
      try {
        const rate = own.server.service.services.admission.rate('begun-sign-ins')
        for (let begun = 0; begun < 240; begun++) await rate.take('127.0.0.1')
        const refused = await new SoftBrowser(own).send('post', '/session/passkey/options')
        assertRefused(refused, 'too_many_requests', /Too many sign-ins were begun/)
        assert.match(String(refused.headers['retry-after']), /^[1-9]\d?$/)
      } finally {
        await own.stop()
      }
    })

    it('make an address wait whose answers fail too often', async () => {
      const own = await startOwnService()
      try {
        const browser = new SoftBrowser(own)
        const challenge = await browser.ask()
        const answers = []
        for (let round = 0; round < 61; round++)
          answers.push(await browser.answer(new SoftPasskey().answer(challenge, ada.userId, placeOf(own))))
        assertRefused(answers.at(-1)!, 'too_many_requests', /Too many sign-ins failed/)
      } finally {
        await own.stop()
      }
    })
  })

  it('of a former address are named, do not work, and do not count as a proof', async () => {
    const old = await startOwnService({ keep: true, clock: () => now })
    const dora = await signInAs(old, 'owner', { name: 'Dora' })
    const hers = await addPasskey(old, dora)
    await old.stop()
    const env = { BASE_URL: 'https://new.example', SITE_DOMAIN: 'sites.test' }
    const moved = await startOwnService({ dataDir: old.dataDir, env, clock: () => now })
    try {
      const fields = { Host: 'new.example', Origin: 'https://new.example' }
      const asked = await new SoftBrowser(moved).send('post', '/session/passkey/options').set(fields).expect(200)
      assert.deepEqual([asked.body.data.rpId, asked.body.data.formerHosts], ['new.example', ['localhost']])
      const cookie = /^[^;]*/.exec(asked.get('Set-Cookie')?.[0] ?? '')?.[0] ?? ''
      const place = { origin: 'https://new.example', rpId: 'new.example' }
      const answer = hers.answer(asked.body.data.challenge, dora.userId, place)
      const refused = await new SoftBrowser(moved, cookie).send('post', '/session/passkey').set(fields).send(answer)
      assertRefused(refused, 'passkey_refused', /was made for localhost: sign in another way, and add a new one/)
      now = new Date(now.getTime() + 11 * MINUTE)
      const secure = { Cookie: dora.cookie.replace('session=', '__Host-session='), ...fields }
      const listed = await moved.api('').get('/me/passkeys').set(secure).expect(200)
      assert.deepEqual([listed.body.data[0].host, listed.body.data[0].works], ['localhost', false])
      await moved.api('').post('/me/passkeys/options').set(secure).expect(200)
    } finally {
      await moved.stop()
    }
  })
})
