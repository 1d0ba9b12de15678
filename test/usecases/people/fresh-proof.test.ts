import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import supertest from 'supertest'
import { addPasskey, assertRefused, placeOf, SoftBrowser } from '../../support/people/passkey-steps.js'
import { signInAs, signInAgain, type SignedIn } from '../../support/people/sign-in-as.js'
import type { SoftPasskey } from '../../support/people/soft-passkey.js'
import { startOwnService, type TestService } from '../../support/service.js'

const MINUTE = 60_000

describe('a fresh proof of who a person is', () => {
  let service: TestService
  let now = new Date()
  let ada: SignedIn
  let passkey: SoftPasskey

  before(async () => {
    service = await startOwnService({ clock: () => now })
  })
  beforeEach(async () => {
    ada = await signInAs(service, 'owner', { name: 'Ada' })
    passkey = await addPasskey(service, ada)
    now = new Date(now.getTime() + 11 * MINUTE)
  })
  after(() => service.stop())

  const later = (minutes: number) => {
    now = new Date(now.getTime() + minutes * MINUTE)
  }
  const prove = async (person: SignedIn, by: SoftPasskey, userId = person.userId) => {
    const browser = new SoftBrowser(service, person.cookie)
    return await browser.answer(by.answer(await browser.ask(), userId, placeOf(service)), '/session/proof')
  }

  it('is a passkey in the same session, and holds for ten minutes', async () => {
    assert.equal((await prove(ada, passkey)).status, 200)
    later(9)
    await ada.send('post', '/keys').send({ label: 'x' }).expect(201)
    later(2)
    assertRefused(await ada.send('post', '/keys').send({ label: 'x' }), 'fresh_proof_required', /fresh proof/)
  })

  it('counts for no other session', async () => {
    const stolen = await signInAgain(service, ada.userId)
    later(11)
    assert.equal((await prove(ada, passkey)).status, 200)
    assertRefused(await stolen.send('post', '/keys').send({ label: 'x' }), 'fresh_proof_required', /fresh proof/)
  })

  it('is not the passkey of another person', async () => {
    const eve = await signInAs(service, 'viewer', { name: 'Eve' })
    const hers = await addPasskey(service, eve)
    assertRefused(await prove(ada, hers, eve.userId), 'passkey_refused', /another person: use one of your own/)
    assertRefused(await prove(ada, hers), 'passkey_refused', /another person/)
    assertRefused(await ada.send('post', '/keys').send({ label: 'x' }), 'fresh_proof_required', /fresh proof/)
  })

  it('is not the answer to a question that somebody else asked, nor an old answer', async () => {
    const answer = passkey.answer(await new SoftBrowser(service).ask(), ada.userId, placeOf(service))
    const browser = new SoftBrowser(service, ada.cookie)
    await browser.ask()
    assertRefused(await browser.answer(answer, '/session/proof'), 'passkey_refused', /is over/)
    const right = passkey.answer(await browser.ask(), ada.userId, placeOf(service))
    assert.equal((await browser.answer(right, '/session/proof')).status, 200)
    assertRefused(await browser.answer(right, '/session/proof'), 'passkey_refused', /is over/)
    assertRefused(await new SoftBrowser(service).answer(right, '/session/proof'), 'unauthenticated', /./)
  })

  it('is not asked of people with nothing to prove with, nor of keys', async () => {
    const bare = await signInAs(service, 'editor')
    later(11)
    await bare.send('post', '/keys').send({ label: 'x' }).expect(201)
    const { key } = await service.mint({ scopes: ['admin'] })
    await supertest(service.origin).post('/api/v1/keys').auth(key, { type: 'bearer' }).send({ label: 'x' }).expect(201)
  })

  it('is asked of people with an account at a provider', async () => {
    const person = await signInAs(service, 'editor')
    const { identities } = service.server.service.services.catalog
    const identity = {
      id: randomUUID(),
      issuer: 'https://id.example',
      subject: 'x',
      userId: person.userId,
      email: null,
    }
    await identities.add(identity)
    later(11)
    assertRefused(await person.send('post', '/keys').send({ label: 'x' }), 'fresh_proof_required', /sign in again/)
  })
})
