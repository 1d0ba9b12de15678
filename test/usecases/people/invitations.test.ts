import assert from 'node:assert/strict'
import supertest from 'supertest'
import type { Role } from '../../../src/model/rights/roles.js'
import { acceptInvitation } from '../../../src/usecases/people/accept-invitation.js'
import { signInAs, type SignedIn } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'

interface Invited {
  id: string
  url: string
  expiresAt: string
}

const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' }

describe('invitations', () => {
  let service: TestService
  let owner: SignedIn
  let now: Date

  before(async () => {
    now = new Date()
    service = await startOwnService({ clock: () => now })
    owner = await signInAs(service, 'owner', { name: 'Olga' })
  })
  after(() => service.stop())

  const invite = async (body: object, by = owner): Promise<Invited> => {
    const answer = await by.send('post', '/invitations').send(body).expect(201)
    return (answer.body as { data: Invited }).data
  }
  const tokenOf = ({ url }: Invited) => url.split('#')[1] ?? ''
  const post = (path: string, body: object, cookie?: string) =>
    supertest(service.origin)
      .post(`/session/invitation${path}`)
      .set(cookie === undefined ? SAME_ORIGIN : { ...SAME_ORIGIN, Cookie: cookie })
      .send(body)
  const accept = (invited: Invited, body: object = { name: 'Ines' }, cookie?: string) =>
    post('/accept', { token: tokenOf(invited), ...body }, cookie)
  const codeOf = (answer: supertest.Response) => (answer.body as { error?: { code: string } }).error?.code
  const cookieOf = (answer: supertest.Response) => (answer.get('Set-Cookie') ?? [])[0]?.split(';')[0] ?? ''
  const as = (cookie: string, method: 'get' | 'post', path: string) => {
    const request = supertest(service.origin)
    return request[method](`/api/v1${path}`).set({ ...SAME_ORIGIN, Cookie: cookie })
  }

  it('show the workspace, role, sites and inviter, and make whoever takes them a member with a session', async () => {
    const invited = await invite({ role: 'editor', sites: [service.site.id] })
    assert.ok(invited.url.startsWith(`${service.server.service.services.baseUrl}/join#`))
    const { body } = await post('', { token: tokenOf(invited) }).expect(200)
    const { workspace, role, sites, invitedBy, email } = body.data as Record<string, unknown>
    assert.deepEqual([workspace, role, sites, invitedBy, email], ['Default', 'editor', ['demo'], 'Olga', null])
    const cookie = cookieOf(await accept(invited, { name: 'Ines' }).expect(201))
    const me = await as(cookie, 'get', '/me').expect(200)
    assert.deepEqual([me.body.data.person.name, me.body.data.person.role], ['Ines', 'editor'])
    await as(cookie, 'post', '/pages').send({ path: '/ines', html: 'x' }).expect(201)
    const { body: members } = await owner.send('get', '/members').expect(200)
    const ines = (members.data as { name: string; sources: { source: string }[] }[]).find(({ name }) => name === 'Ines')
    assert.deepEqual(
      ines?.sources.map(({ source }) => source),
      ['invitation'],
    )
  })

  it('work once, also if two people take one at the same time', async () => {
    const invited = await invite({ role: 'viewer' })
    const both = await Promise.all([accept(invited, { name: 'One' }), accept(invited, { name: 'Two' })])
    assert.deepEqual(
      both.map(({ status }) => status).toSorted((one, other) => one - other),
      [201, 403],
    )
    assert.equal(codeOf(await accept(invited)), 'invitation_invalid')
    assert.equal(codeOf(await post('', { token: tokenOf(invited) })), 'invitation_invalid')
    const { body } = await owner.send('get', '/members').expect(200)
    const names = (body.data as { name: string }[]).map(({ name }) => name)
    assert.equal(names.filter((name) => name === 'One' || name === 'Two').length, 1)
  })

  it('are refused with one answer once they have expired or were taken back, and if nobody made them', async () => {
    const [late, revoked] = [await invite({ role: 'viewer', expiresIn: 60 }), await invite({ role: 'viewer' })]
    await owner.send('delete', `/invitations/${revoked.id}`).expect(200)
    assert.equal(codeOf(await owner.send('delete', `/invitations/${revoked.id}`).expect(404)), 'invitation_not_found')
    const before = now
    now = new Date(now.getTime() + 61_000)
    for (const each of [late, revoked, { ...late, url: '#guessed' }])
      assert.equal(codeOf(await accept(each).expect(403)), 'invitation_invalid')
    now = before
  })

  it('are listed without their links while they are open', async () => {
    const invited = await invite({ role: 'viewer', email: 'Ada@Example.org' })
    const { text, body } = await owner.send('get', '/invitations').expect(200)
    assert.ok(!text.includes(tokenOf(invited)))
    const mine = (body.data as { id: string; email: string; invitedBy: string }[]).find(({ id }) => id === invited.id)
    assert.deepEqual([mine?.email, mine?.invitedBy], ['ada@example.org', 'Olga'])
    const days = (Date.parse(invited.expiresAt) - now.getTime()) / 86_400_000
    assert.ok(days > 6.9 && days < 7.1)
    await owner.send('post', '/invitations').send({ role: 'viewer', expiresIn: 2_592_001 }).expect(400)
  })

  it('end with the rights of the inviter', async () => {
    const [admin, leaving] = [await signInAs(service, 'admin'), await signInAs(service, 'admin')]
    const [first, second] = [await invite({ role: 'editor' }, admin), await invite({ role: 'editor' }, leaving)]
    const made = await owner
      .send('post', '/keys')
      .send({ label: 'CI', scopes: ['admin'] })
      .expect(201)
    const byKey = await service.api(made.body.data.key).post('/invitations').send({ role: 'viewer' }).expect(201)
    await owner.send('patch', `/members/${admin.userId}`).send({ role: 'editor' }).expect(200)
    await owner.send('delete', `/members/${leaving.userId}`).expect(200)
    await owner.send('delete', `/keys/${made.body.data.id}`).expect(200)
    for (const each of [first, second, byKey.body.data as Invited])
      assert.equal(codeOf(await accept(each).expect(403)), 'invitation_invalid')
  })

  it('give no more than the inviter may give', async () => {
    const admin = await signInAs(service, 'admin')
    const limited = await signInAs(service, 'admin', { sites: [service.site.id] })
    const refused = (by: SignedIn, body: object) => by.send('post', '/invitations').send(body).expect(403)
    assert.equal(codeOf(await refused(admin, { role: 'owner' })), 'forbidden_role')
    assert.equal(codeOf(await refused(await signInAs(service, 'editor'), { role: 'viewer' })), 'insufficient_scope')
    const { body } = await limited.send('post', '/invitations').send({ role: 'editor' }).expect(201)
    assert.deepEqual(body.data.sites, [service.site.id])
    const whole = await invite({ role: 'viewer' })
    const { body: seen } = await limited.send('get', '/invitations').expect(200)
    assert.ok((seen.data as Invited[]).every(({ id }) => id !== whole.id))
    await limited.send('delete', `/invitations/${whole.id}`).expect(404)
  })

  it('for one address are for nobody else', async () => {
    const invited = await invite({ role: 'editor', email: 'ada@example.org' })
    assert.equal(codeOf(await accept(invited).expect(403)), 'invitation_for_another')
    const { services } = service.server.service
    const token = tokenOf(invited)
    const refused = acceptInvitation(services, { token, name: 'Eve', verifiedEmail: 'eve@example.org' })
    await assert.rejects(refused, { code: 'invitation_for_another' })
    const { workspaceId, userId } = await acceptInvitation(services, {
      token,
      name: 'Ada',
      verifiedEmail: 'ADA@example.org',
    })
    assert.equal(services.catalog.members.rightsOf(workspaceId, userId)?.role, 'editor')
  })

  it('make a person who is signed in elsewhere a member here too, with no new proof', async () => {
    const other = await service.inNewWorkspace()
    const guest = await signInAs(other, 'owner', { name: 'Gus' })
    const { catalog } = service.server.service.services
    const [before] = await catalog.sessions.listOf(guest.userId)
    await accept(await invite({ role: 'viewer' }), {}, guest.cookie).expect(201)
    assert.equal(catalog.members.rightsOf(service.workspaceId, guest.userId)?.role, 'viewer')
    const me = await guest.send('get', '/me').expect(200)
    assert.equal(me.body.data.workspace.id, service.workspaceId)
    const after = await catalog.sessions.listOf(guest.userId)
    assert.deepEqual(
      after.map(({ id, provenAt }) => [id, provenAt]),
      [[before?.id, before?.provenAt]],
    )
  })

  it('never take rights from a member, and stay open if they add none', async () => {
    const { catalog } = service.server.service.services
    const joined = async (role: Role, person: SignedIn) => await accept(await invite({ role }), {}, person.cookie)
    const other = await service.inNewWorkspace()
    const guest = await signInAs(other, 'owner')
    await joined('admin', guest)
    assert.equal(codeOf(await joined('viewer', guest)), 'conflict')
    assert.equal(catalog.members.rightsOf(service.workspaceId, guest.userId)?.role, 'admin')
    await joined('owner', guest)
    assert.equal(catalog.members.rightsOf(service.workspaceId, guest.userId)?.role, 'owner')
  })

  it('need a name of a new person, a token, and a page of the service', async () => {
    const invited = await invite({ role: 'viewer' })
    for (const body of [{}, { name: '' }, { name: 'x'.repeat(101) }, { name: 7 }])
      await accept(invited, body).expect(400)
    await post('', { token: 7 }).expect(400)
    await supertest(service.origin).get('/session/invitation').expect(405)
    const foreign = await supertest(service.origin)
      .post('/session/invitation/accept')
      .set('Sec-Fetch-Site', 'cross-site')
      .send({ token: tokenOf(invited), name: 'Eve' })
      .expect(403)
    assert.equal(codeOf(foreign), 'cross_site_request')
    await accept(invited, { name: 'Nils' }).expect(201)
  })

  it('leave no token in the catalog or the audit log', async () => {
    const invited = await invite({ role: 'viewer' })
    await accept(invited, { name: 'Tilda' }).expect(201)
    const { body, text } = await owner.send('get', '/audit?action=member.add&limit=1').expect(200)
    const [entry] = body.data as { details: { invitation: string; source: string }; personal: { name: string } }[]
    assert.deepEqual(
      [entry?.details.invitation, entry?.details.source, entry?.personal.name],
      [invited.id, 'invitation', 'Tilda'],
    )
    assert.ok(!text.includes(tokenOf(invited)))
  })

  it('limit how often one address fails', async () => {
    let status = 403
    for (let i = 0; i < 100 && status === 403; i++) ({ status } = await post('', { token: `guess ${i}` }))
    assert.equal(status, 429)
  })
})
