import assert from 'node:assert/strict'
import supertest from 'supertest'
import { signInAs, type SignedIn } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'

const DAY = 86_400_000

interface Key {
  id: string
  label: string
  scopes: string[]
  sites: string[] | null
  userId: string | null
  offer: { from: string; until: string } | null
}

describe('a hand-over of keys', () => {
  let service: TestService
  let owner: SignedIn
  let now = new Date()

  before(async () => {
    service = await startOwnService({ clock: () => now })
    owner = await signInAs(service, 'owner', { name: 'Olga' })
  })
  after(() => service.stop())

  const codeOf = (answer: supertest.Response) => (answer.body as { error?: { code: string } }).error?.code
  const statusBy = async (key: string) =>
    (await supertest(service.origin).get('/api/v1/me').auth(key, { type: 'bearer' })).status
  const makeKey = async (person: SignedIn, body: object = {}) => {
    const made = await person
      .send('post', '/keys')
      .send({ label: 'CI', scopes: ['write'], personal: true, ...body })
      .expect(201)
    return made.body.data as Key & { key: string }
  }
  const offersOf = async (person: SignedIn) => {
    const { body } = await person.send('get', '/keys?limit=1000').expect(200)
    return (body.data as Key[]).filter(({ offer, userId }) => offer !== null && userId === person.userId)
  }
  const handOver = async (leaving: SignedIn, heir: SignedIn, by: SignedIn = owner) =>
    await by.send('delete', `/members/${leaving.userId}?handTo=${heir.userId}`)
  /** A leaving editor with a key, which is handed to the heir. */
  const offerTo = async (heir: SignedIn) => {
    const leaving = await signInAs(service, 'editor', { name: 'Lea' })
    const old = await makeKey(leaving)
    assert.equal((await handOver(leaving, heir)).status, 200)
    const [offer] = await offersOf(heir)
    assert.ok(offer)
    return { old, offer }
  }

  it('ends the old secret at once, and gives the heir another one only when the heir takes it', async () => {
    const heir = await signInAs(service, 'editor', { name: 'Hanna' })
    const { old, offer } = await offerTo(heir)
    assert.equal(await statusBy(old.key), 401)
    assert.equal(offer.offer?.from, 'Lea')
    assert.equal(offer.label, 'CI')
    const taken = await heir.send('post', `/keys/${offer.id}/rotate`).send({}).expect(201)
    const { key, userId, offer: none } = taken.body.data as Key & { key: string }
    assert.equal(await statusBy(key), 200)
    assert.deepEqual([userId, none], [heir.userId, null])
    assert.deepEqual(await offersOf(heir), [])
    assert.equal(codeOf(await heir.send('post', `/keys/${offer.id}/rotate`).send({}).expect(404)), 'key_not_found')
    assert.equal(await statusBy(old.key), 401)
  })

  it('is nothing that anybody else takes: not the owner who made it, nor a key of the heir, nor a key of the workspace', async () => {
    const heir = await signInAs(service, 'admin')
    const own = await makeKey(heir, { scopes: ['admin'] })
    const { offer } = await offerTo(heir)
    const { key } = await service.mint({ scopes: ['admin'] })
    const path = `/keys/${offer.id}/rotate`
    for (const asked of [owner.send('post', path), service.api(own.key).post(path), service.api(key).post(path)])
      assert.equal(codeOf(await asked.send({}).expect(403)), 'forbidden_role')
    await heir.send('post', path).send({}).expect(201)
  })

  it('can be declined', async () => {
    const heir = await signInAs(service, 'editor')
    const { offer } = await offerTo(heir)
    await heir.send('delete', `/keys/${offer.id}`).expect(200)
    assert.deepEqual(await offersOf(heir), [])
    assert.equal(codeOf(await heir.send('post', `/keys/${offer.id}/rotate`).send({}).expect(404)), 'key_not_found')
  })

  it('ends after 14 days', async () => {
    const heir = await signInAs(service, 'editor')
    const { offer } = await offerTo(heir)
    now = new Date(now.getTime() + 14 * DAY + 1000)
    assert.deepEqual(await offersOf(heir), [])
    assert.equal(codeOf(await heir.send('post', `/keys/${offer.id}/rotate`).send({}).expect(404)), 'key_not_found')
  })

  it('offers no more than the heir may do, then and when it is taken', async () => {
    const viewer = await signInAs(service, 'viewer')
    assert.deepEqual((await offerTo(viewer)).offer.scopes, ['read'])
    const ofOneSite = await signInAs(service, 'editor', { sites: [service.site.id] })
    assert.deepEqual((await offerTo(ofOneSite)).offer.sites, [service.site.id])
    const editor = await signInAs(service, 'editor')
    const { offer } = await offerTo(editor)
    await owner.send('patch', `/members/${editor.userId}`).send({ role: 'viewer' }).expect(200)
    assert.equal(codeOf(await editor.send('post', `/keys/${offer.id}/rotate`).send({}).expect(403)), 'forbidden_scope')
  })

  it('ends with the membership of the heir, also if that person is handed over', async () => {
    const [heir, next] = [await signInAs(service, 'editor'), await signInAs(service, 'editor')]
    await offerTo(heir)
    assert.equal((await handOver(heir, next)).status, 200)
    assert.deepEqual(await offersOf(next), [])
  })

  it('makes no offer of keys that have ended', async () => {
    const [leaving, heir] = [await signInAs(service, 'editor'), await signInAs(service, 'editor')]
    const { id } = await makeKey(leaving)
    await leaving.send('delete', `/keys/${id}`).expect(200)
    await makeKey(leaving, { expiresAt: new Date(now.getTime() + DAY).toISOString() })
    now = new Date(now.getTime() + 2 * DAY)
    assert.equal((await handOver(leaving, heir)).status, 200)
    assert.deepEqual(await offersOf(heir), [])
  })

  it('of an admin goes to no owner, of a limited admin to nobody with more sites, and to nobody who leaves', async () => {
    const [admin, limited] = [
      await signInAs(service, 'admin'),
      await signInAs(service, 'admin', { sites: [service.site.id] }),
    ]
    const leaving = await signInAs(service, 'editor', { sites: [service.site.id] })
    const old = await makeKey(leaving)
    const ofAllSites = await signInAs(service, 'editor')
    assert.equal(codeOf(await handOver(leaving, owner, admin)), 'forbidden_role')
    assert.equal(codeOf(await handOver(leaving, ofAllSites, limited)), 'member_not_found')
    assert.equal(codeOf(await handOver(leaving, leaving, admin)), 'invalid_query')
    assert.equal(await statusBy(old.key), 200)
    assert.equal((await handOver(leaving, limited, admin)).status, 200)
  })

  it('is in the audit log: who offered, and who took', async () => {
    const heir = await signInAs(service, 'editor')
    const { offer } = await offerTo(heir)
    await heir.send('post', `/keys/${offer.id}/rotate`).send({}).expect(201)
    const { body } = await owner.send('get', '/audit?limit=10').expect(200)
    const entries = body.data as { action: string; target: string; details: Record<string, unknown> }[]
    const removed = entries.find(({ action }) => action === 'member.remove')
    assert.deepEqual(removed?.details, { offeredTo: heir.userId, offers: [offer.id] })
    assert.equal(entries.find(({ action }) => action === 'key.take')?.target, `key ${offer.id}`)
  })
})
