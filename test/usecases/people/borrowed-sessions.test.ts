import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { addPasskey, assertRefused, placeOf, SoftBrowser } from '../../support/people/passkey-steps.js'
import { signInAgain, signInAs, type SignedIn } from '../../support/people/sign-in-as.js'
import type { SoftPasskey } from '../../support/people/soft-passkey.js'
import { startOwnService, type TestService } from '../../support/service.js'

const MINUTE = 60_000

describe('a session that an owner lent by a link for a member', () => {
  let service: TestService
  let other: TestService
  let now = new Date()
  /** The owner of the service's workspace. */
  let olga: SignedIn
  /** The owner of the other workspace. */
  let alice: SignedIn
  let member: SignedIn

  before(async () => {
    service = await startOwnService({ clock: () => now })
    other = await service.inNewWorkspace()
    olga = await signInAs(service, 'owner', { name: 'Olga' })
    alice = await signInAs(other, 'owner', { name: 'Alice' })
  })
  beforeEach(async () => {
    member = await signInAs(service, 'admin', { name: 'Vic' })
  })
  after(() => service.stop())

  const makeLink = async (by: SignedIn, { userId }: SignedIn): Promise<string> => {
    const made = await by.send('post', `/members/${userId}/sign-in-link`).expect(200)
    return (made.body as { data: { url: string } }).data.url.split('#')[1] ?? ''
  }
  const open = async (token: string) => {
    const browser = new SoftBrowser(service)
    return { browser, answer: await browser.send('post', '/session').send({ token }) }
  }
  /** Lends a session of the member. */
  const borrow = async (by = olga, of = member): Promise<SignedIn> => {
    const { browser, answer } = await open(await makeLink(by, of))
    assert.equal(answer.status, 201)
    const { cookie } = browser
    return {
      userId: of.userId,
      cookie,
      send: (method, path) => service.api('')[method](path).set({ Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' }),
    }
  }
  /** Makes the member an admin of the other workspace. */
  const joinOther = async ({ userId }: SignedIn) => {
    const { members } = service.server.service.services.catalog
    await members.give({ workspaceId: other.workspaceId, userId, role: 'admin', sites: null, source: 'invitation' })
  }
  const inOther = (person: SignedIn, method: 'get' | 'post' | 'delete', path: string) =>
    person.send(method, path).set('x-service-account-id', other.workspaceId)

  it('never opens a workspace that the person joined meanwhile, and does not show it', async () => {
    const lent = await borrow()
    await joinOther(member)
    assertRefused(await inOther(lent, 'get', '/members'), 'workspace_not_found', /./)
    assertRefused(await inOther(lent, 'post', '/keys').send({ label: 'x' }), 'workspace_not_found', /./)
    const listed = await lent.send('get', '/accounts').expect(200)
    assert.deepEqual(
      listed.body.data.map(({ id }: { id: string }) => id),
      [service.workspaceId],
    )
    const me = await lent.send('get', '/me').expect(200)
    assert.deepEqual([me.body.data.workspace.id, me.body.data.isBorrowed], [service.workspaceId, true])
    await inOther(member, 'get', '/members').expect(200)
    await olga.send('delete', `/members/${member.userId}`).expect(200)
    assertRefused(await lent.send('get', '/me'), 'unauthenticated', /./)
    await inOther(member, 'get', '/me').expect(200)
  })

  it('is not begun by a link that its maker could no longer make', async () => {
    const joined = await makeLink(olga, member)
    await joinOther(member)
    assertRefused((await open(joined)).answer, 'sign_in_link_invalid', /taken back/)
    for (const end of ['demote', 'remove']) {
      const second = await signInAs(service, 'owner', { name: 'Otto' })
      const [token, lent] = [await makeLink(second, olga), await borrow(second, olga)]
      await lent.send('get', '/members').expect(200)
      if (end === 'demote') await olga.send('patch', `/members/${second.userId}`).send({ role: 'viewer' }).expect(200)
      else await olga.send('delete', `/members/${second.userId}`).expect(200)
      assertRefused((await open(token)).answer, 'sign_in_link_invalid', /taken back/)
      assertRefused(await lent.send('get', '/me'), 'unauthenticated', /has ended/)
    }
  })

  it('changes nothing of the account, and shows nothing of it', async () => {
    await addPasskey(service, member)
    const lent = await borrow()
    for (const [method, path, body] of [
      ['patch', '/me', { name: 'Mallory' }],
      ['get', '/me/passkeys', undefined],
      ['post', '/me/passkeys/options', undefined],
      ['delete', `/me/passkeys/${randomUUID()}`, undefined],
      ['get', '/me/identities', undefined],
      ['delete', `/me/identities/${randomUUID()}`, undefined],
      ['get', '/me/sessions', undefined],
      ['delete', '/me/sessions', undefined],
      ['delete', `/me/sessions/${randomUUID()}`, undefined],
    ] as const) {
      const answer = await lent.send(method, path).send(body)
      assert.ok(['borrowed_session', 'fresh_proof_required'].includes(answer.body.error?.code), `${method} ${path}`)
    }
    const browser = new SoftBrowser(service, lent.cookie)
    await browser.send('delete', '/session?everywhere=true').expect(200)
    await lent.send('get', '/me').expect(401)
    await member.send('get', '/me').expect(200)
  })

  it('proves nothing: keys and people need a passkey of the person, and even then it stays bound', async () => {
    const passkey = await addPasskey(service, member)
    const lent = await borrow()
    await lent
      .send('post', '/pages')
      .send({ path: `/${member.userId}`, html: 'x' })
      .expect(201)
    const bare = await signInAs(service, 'admin', { name: 'Bare' })
    for (const each of [lent, await borrow(olga, bare)])
      assertRefused(await each.send('post', '/keys').send({ label: 'x' }), 'fresh_proof_required', /own/)
    const browser = new SoftBrowser(service, lent.cookie)
    const proof = passkey.answer(await browser.ask(), member.userId, placeOf(service))
    assert.equal((await browser.answer(proof, '/session/proof')).status, 200)
    await lent.send('post', '/keys').send({ label: 'x' }).expect(201)
    await joinOther(member)
    assertRefused(await inOther(lent, 'get', '/members'), 'workspace_not_found', /./)
    assertRefused(await lent.send('post', '/me/passkeys/options'), 'borrowed_session', /way of your own/)
  })

  it('takes no invitation, also not by a new name', async () => {
    const lent = await borrow()
    const invited = await alice.send('post', '/invitations').send({ role: 'admin' }).expect(201)
    const token = invited.body.data.url.split('#')[1]
    const browser = new SoftBrowser(service, lent.cookie)
    for (const name of [undefined, 'Mallory'])
      assertRefused(
        await browser.send('post', '/session/invitation/accept').send({ token, ...(name !== undefined && { name }) }),
        'borrowed_session',
        /palimpsest login-link/,
      )
    await new SoftBrowser(service, member.cookie).send('post', '/session/invitation/accept').send({ token }).expect(201)
  })

  it('shows itself to the person, who can end it', async () => {
    const lent = await borrow()
    const listed = await member.send('get', '/me/sessions').expect(200)
    const shown = (listed.body.data as { id: string; isBorrowed: boolean }[]).filter(({ isBorrowed }) => isBorrowed)
    assert.equal(shown.length, 1)
    await member.send('delete', `/me/sessions/${shown[0]?.id}`).expect(200)
    await lent.send('get', '/me').expect(401)
  })

  describe('of before, with a passkey that somebody added in it', () => {
    /** A passkey as the upgrade leaves it. */
    const addLent = async (by: SignedIn, of: SignedIn): Promise<SoftPasskey> => {
      const passkey = await addPasskey(service, of)
      const { passkeys } = service.server.service.services.catalog
      const stored = (await passkeys.listOf(of.userId)).at(-1)
      assert.ok(stored)
      await passkeys.remove(of.userId, stored.id)
      const loan = { workspaceId: service.workspaceId, makerIds: [by.userId] }
      assert.ok(await passkeys.create({ ...stored, loan }))
      return passkey
    }

    it('opens that workspace alone, adds nothing, and ends with the role of the owner', async () => {
      const second = await signInAs(service, 'owner', { name: 'Otto' })
      const passkey = await addLent(second, member)
      await joinOther(member)
      const browser = new SoftBrowser(service)
      assert.equal((await browser.signIn(passkey, member.userId)).status, 201)
      const ask = (path: string) => browser.send('get', `/api/v1${path}`)
      assert.equal((await ask('/me').expect(200)).body.data.workspace.id, service.workspaceId)
      await ask('/members').set('x-service-account-id', other.workspaceId).expect(404)
      assertRefused(await browser.send('post', '/api/v1/me/passkeys/options'), 'fresh_proof_required', /own/)
      assertRefused(await browser.send('post', '/api/v1/keys').send({ label: 'x' }), 'fresh_proof_required', /own/)
      await olga.send('patch', `/members/${second.userId}`).send({ role: 'admin' }).expect(200)
      await ask('/me').expect(401)
      assertRefused(await new SoftBrowser(service).signIn(passkey, member.userId), 'passkey_refused', /an owner made/)
    })

    it('proves nothing in other sessions, and is not asked for there', async () => {
      const passkey = await addLent(olga, member)
      now = new Date(now.getTime() + 11 * MINUTE)
      await member.send('post', '/keys').send({ label: 'x' }).expect(201)
      const browser = new SoftBrowser(service, member.cookie)
      const proof = passkey.answer(await browser.ask(), member.userId, placeOf(service))
      assertRefused(await browser.answer(proof, '/session/proof'), 'passkey_refused', /add a new one/)
      const listed = await member.send('get', '/me/passkeys').expect(200)
      assert.deepEqual(
        listed.body.data.map(({ isBorrowed }: { isBorrowed: boolean }) => isBorrowed),
        [true],
      )
      const options = await member.send('post', '/me/passkeys/options').expect(200)
      assert.deepEqual(options.body.data.exclude, [], 'the device may make a new one')
    })
  })

  describe('ended by an admin, as all sessions of the member here', () => {
    it('ends, and those of the whole account go on elsewhere, until the person signs in anew', async () => {
      const lent = await borrow()
      const token = await makeLink(olga, member)
      await joinOther(member)
      const admin = await signInAs(service, 'admin', { name: 'Adam' })
      await admin.send('delete', `/members/${member.userId}/sessions`).expect(200)
      await lent.send('get', '/me').expect(401)
      assertRefused((await open(token)).answer, 'sign_in_link_invalid', /./)
      const me = await member.send('get', '/me').expect(200)
      assert.equal(me.body.data.workspace.id, other.workspaceId)
      const refused = await member.send('get', '/members').set('x-service-account-id', service.workspaceId)
      assertRefused(refused, 'workspace_not_found', /./)
      const listed = await member.send('get', '/accounts').expect(200)
      assert.equal(listed.body.data.length, 1)
      const again = await signInAgain(service, member.userId)
      await again.send('get', '/members').expect(200)
      await inOther(again, 'get', '/members').expect(200)
    })
  })
})
