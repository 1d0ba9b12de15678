import assert from 'node:assert/strict'
import { hashKey } from '../../../src/model/key-format.js'
import { makeSignInToken } from '../../../src/usecases/sign-in/sign-in-link.js'
import { auditEntries } from '../../support/people/audit-entries.js'
import { assertRefused, SoftBrowser } from '../../support/people/passkey-steps.js'
import { signInAs, signInAgain, type SignedIn } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { until } from '../../support/within.js'

const HOUR = 3_600_000

describe('the account of a person', () => {
  let service: TestService
  let now = new Date()
  let owner: SignedIn

  before(async () => {
    service = await startOwnService({ clock: () => now })
    owner = await signInAs(service, 'owner', { name: 'Olga' })
  })
  after(() => service.stop())

  const enter = async (token: string) => {
    const browser = new SoftBrowser(service)
    return { browser, answer: await browser.send('post', '/session').send({ token }) }
  }
  const sessionsOf = async (person: SignedIn) =>
    (await person.send('get', '/me/sessions').expect(200)).body.data as {
      id: string
      device: string | null
      isThis: boolean
      isNewDevice: boolean
      seenAt: string | null
    }[]

  it('has a name that commits have from then on', async () => {
    const editor = await signInAs(service, 'editor', { name: 'Before' })
    await editor.send('patch', '/me').send({ name: 'After' }).expect(200)
    assert.equal((await editor.send('get', '/me').expect(200)).body.data.key.label, 'After')
    assertRefused(await editor.send('patch', '/me').send({ name: 'a\u202eb' }), 'invalid_body', /./)
  })

  it('lists sessions by device, tells a device that is new, and ends one or the others', async () => {
    const person = await signInAs(service, 'editor', { name: 'Pia' })
    now = new Date(now.getTime() + 1000)
    const services = service.server.service.services
    const token = await makeSignInToken(services, service.workspaceId, { userId: person.userId })
    const { browser, answer } = await enter(token)
    assert.equal(answer.status, 201)
    const [other, own] = await sessionsOf(person)
    assert.deepEqual(
      [other?.device, other?.isThis, other?.isNewDevice, own?.isThis, own?.isNewDevice],
      ['Firefox on Windows', false, true, true, false],
    )
    await person.send('delete', `/me/sessions/${other?.id}`).expect(200)
    await browser.send('get', '/api/v1/me').expect(401)
    assertRefused(await person.send('delete', `/me/sessions/${other?.id}`), 'session_not_found', /GET \/me\/sessions/)
    assertRefused(await owner.send('delete', `/me/sessions/${own?.id}`), 'session_not_found', /yours/)
    const third = await signInAgain(service, person.userId)
    await person.send('delete', '/me/sessions?others=true').expect(200)
    await third.send('get', '/me').expect(401)
    await person.send('get', '/me').expect(200)
    await person.send('delete', '/me/sessions').expect(200)
    await person.send('get', '/me').expect(401)
  })

  it('notes the use of a session at most once an hour', async () => {
    const person = await signInAs(service, 'editor')
    const seen = async () => (await sessionsOf(person))[0]?.seenAt
    const first = await until(seen, (at) => typeof at === 'string')
    now = new Date(now.getTime() + HOUR - 2000)
    await person.send('get', '/me').expect(200)
    assert.equal(await seen(), first)
    now = new Date(now.getTime() + 4000)
    await until(seen, (at) => at !== first)
  })

  it('loses all sessions at once if an admin ends them, but no admin ends those of an owner', async () => {
    const [admin, member] = [await signInAs(service, 'admin'), await signInAs(service, 'editor')]
    await admin.send('delete', `/members/${member.userId}/sessions`).expect(200)
    await member.send('get', '/me').expect(401)
    assertRefused(await admin.send('delete', `/members/${owner.userId}/sessions`), 'forbidden_role', /owner/)
    const last = auditEntries(service).at(-1)
    assert.deepEqual([last?.action, last?.target], ['session.end_all', `user ${member.userId}`])
  })

  describe('that is lost', () => {
    it('is opened by a link of an owner, once, within a day', async () => {
      const member = await signInAs(service, 'editor', { name: 'Mo' })
      const make = async () =>
        (await owner.send('post', `/members/${member.userId}/sign-in-link`).expect(200)).body.data.url.split('#')[1]
      const token = await make()
      now = new Date(now.getTime() + 23 * HOUR)
      const { browser, answer } = await enter(token)
      assert.equal(answer.status, 201)
      const me = await browser.send('get', '/api/v1/me').expect(200)
      assert.deepEqual([me.body.data.person.id, me.body.data.person.role], [member.userId, 'editor'])
      assertRefused((await enter(token)).answer, 'sign_in_link_invalid', /already used/)
      const late = await make()
      now = new Date(now.getTime() + 24 * HOUR)
      assertRefused((await enter(late)).answer, 'sign_in_link_invalid', /expired/)
      const actions = auditEntries(service).map(({ action }) => action)
      assert.ok(actions.includes('member.sign_in_link') && actions.includes('session.begin'))
    })

    it('is opened by no admin, and by no owner of one of its workspaces alone', async () => {
      const admin = await signInAs(service, 'admin')
      const member = await signInAs(service, 'editor')
      const path = `/members/${member.userId}/sign-in-link`
      assertRefused(await admin.send('post', path), 'forbidden_role', /Only an owner/)
      const { provisioner, catalog } = service.server.service.services
      const { workspace } = await provisioner.createWorkspace('Elsewhere', 'elsewhere')
      const rights = { workspaceId: workspace.id, role: 'owner' as const, sites: null, source: 'hand' }
      await catalog.members.give({ ...rights, userId: member.userId })
      assertRefused(await owner.send('post', path), 'conflict', /a workspace that you do not own/)
      await catalog.members.give({ ...rights, userId: owner.userId })
      await owner.send('post', path).expect(200)
    })
  })

  describe('in a workspace without people', () => {
    it('is made for the first to enter by a link, as an owner; sessions of before stay unnamed owners', async () => {
      const fresh = await startOwnService({ clock: () => now })
      try {
        const { services } = fresh.server.service
        const { catalog } = services
        const secret = 'a'.repeat(43)
        const [createdAt, expiresAt] = [now, new Date(now.getTime() + HOUR)].map((at) =>
          at.toISOString().replace(/\.\d+/, ''),
        ) as [string, string]
        const times = { createdAt, expiresAt }
        await catalog.sessions.create({
          id: 'before',
          workspaceId: fresh.workspaceId,
          label: 'Ada',
          hash: hashKey(secret),
          ...times,
        })
        const before = new SoftBrowser(fresh, `session=${secret}`)
        const me = await before.send('get', '/api/v1/me').expect(200)
        assert.deepEqual([me.body.data.person, me.body.data.scopes], [null, ['read', 'write', 'admin']])
        await before.send('post', '/api/v1/keys').send({ label: 'x' }).expect(201)
        assertRefused(await before.send('get', '/api/v1/me/passkeys'), 'person_required', /ends with the next sign-in/)
        const first = new SoftBrowser(fresh)
        const token = await makeSignInToken(services, fresh.workspaceId, {})
        await first.send('post', '/session').send({ token }).expect(201)
        const { person } = (await first.send('get', '/api/v1/me').expect(200)).body.data
        assert.deepEqual([person.name, person.role], ['Owner', 'owner'])
        const again = new SoftBrowser(fresh)
        const next = await makeSignInToken(services, fresh.workspaceId, {})
        await again.send('post', '/session').send({ token: next }).expect(201)
        assert.equal((await again.send('get', '/api/v1/me').expect(200)).body.data.person.id, person.id)
        await before.send('get', '/api/v1/me').expect(200)
        now = new Date(now.getTime() + HOUR)
        await before.send('get', '/api/v1/me').expect(401)
      } finally {
        await fresh.stop()
      }
    })
  })
})
