import assert from 'node:assert/strict'
import supertest from 'supertest'
import { runPalimpsest } from '../../scenarios/serve-process.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'

describe('the command login-link', () => {
  let service: TestService

  before(async () => {
    service = await startOwnService()
    await signInAs(service, 'owner', { name: 'Olga' })
  })
  after(() => service.stop())

  const loginLink = (...args: string[]) => runPalimpsest({ DATA_DIR: service.dataDir }, 'login-link', ...args)

  /** Opens the link of the command. Returns the person's role. */
  async function enter({ stdout }: { stdout: string }): Promise<{ name: string; role: string }> {
    const token = stdout.trim().split('#')[1]
    const fields = { 'Sec-Fetch-Site': 'same-origin' }
    const begun = await supertest(service.origin).post('/session').set(fields).send({ token }).expect(201)
    const [cookie = ''] = begun.get('Set-Cookie') ?? []
    const me = await supertest(service.origin)
      .get('/api/v1/me')
      .set({ ...fields, Cookie: cookie })
    const { name, role } = (me.body as { data: { person: { name: string; role: string } } }).data.person
    return { name, role }
  }

  it('says whom it lets in, and with which role', async () => {
    const first = await loginLink()
    assert.match(first.stderr, /lets Olga in, owner here/)
    assert.deepEqual(await enter(first), { name: 'Olga', role: 'owner' })
    await signInAs(service, 'viewer', { name: 'Vera', sites: [service.site.id] })
    const vera = await loginLink('--label', 'Vera')
    assert.match(vera.stderr, /lets Vera in, viewer of some sites here/)
    assert.deepEqual(await enter(vera), { name: 'Vera', role: 'viewer' })
  })

  it('makes an owner of a name that no member has, also if somebody takes that name meanwhile', async () => {
    const made = await loginLink('--label', 'Newowner')
    assert.match(made.stderr, /makes a new owner, Newowner/)
    const viewer = await signInAs(service, 'viewer', { name: 'Somebody' })
    await viewer.send('patch', '/me').send({ name: 'Newowner' }).expect(200)
    assert.deepEqual(await enter(made), { name: 'Newowner', role: 'owner' })
  })

  it('refuses a name that several members have, lists them, and takes an id', async () => {
    const viewer = await signInAs(service, 'viewer', { name: 'Twin' })
    const admin = await signInAs(service, 'admin', { name: 'Twin' })
    const refused = await loginLink('--label', 'Twin')
    assert.notEqual(refused.code, 0)
    assert.equal(refused.stdout, '')
    for (const told of [`${viewer.userId} (viewer)`, `${admin.userId} (admin)`])
      assert.ok(refused.stderr.includes(told), refused.stderr)
    assert.deepEqual(await enter(await loginLink('--label', admin.userId)), { name: 'Twin', role: 'admin' })
  })
})
