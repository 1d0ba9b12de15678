import assert from 'node:assert/strict'
import supertest from 'supertest'
import { git } from '../../support/git.js'
import { signInAgain, signInAs, type SignedIn } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'

describe('the people of a workspace', () => {
  let service: TestService
  let owner: SignedIn

  before(async () => {
    service = await startOwnService()
    owner = await signInAs(service, 'owner', { name: 'Olga' })
  })
  after(() => service.stop())

  const codeOf = (answer: supertest.Response) => (answer.body as { error?: { code: string } }).error?.code
  const page = (path: string) => ({ path, html: '<p>x</p>' })

  it('may do what their role says: a viewer reads, an author also tries, an editor writes', async () => {
    const [viewer, author, editor] = [
      await signInAs(service, 'viewer'),
      await signInAs(service, 'author'),
      await signInAs(service, 'editor'),
    ]
    const publish = (person: SignedIn, dryRun: boolean) =>
      person.send('post', `/pages${dryRun ? '?dryRun=true' : ''}`).send(page(`/by-${person.userId}`))
    for (const person of [viewer, author, editor]) await person.send('get', '/pages').expect(200)
    assert.equal(codeOf(await publish(viewer, true).expect(403)), 'insufficient_scope')
    await publish(author, true).expect(200)
    const refused = await publish(author, false).expect(403)
    assert.match(refused.body.error.message, /Your role here is author/)
    await publish(editor, false).expect(201)
    assert.equal(codeOf(await editor.send('get', '/members').expect(403)), 'insufficient_scope')
  })

  it('sign their commits with a name and an address that stays', async () => {
    const editor = await signInAs(service, 'editor', { name: 'Edda' })
    await editor.send('post', '/pages').send(page('/signed')).expect(201)
    const shown = git(
      service.gitdir(),
      'log',
      '-1',
      '--format=%an %ae %(trailers:key=User-Id,valueonly)',
      'main',
    ).trim()
    assert.equal(shown, `Edda ${editor.userId}@people.palimpsest.invalid ${editor.userId}`)
  })

  it('lose rights with the next request, in sessions and with their own keys', async () => {
    const editor = await signInAs(service, 'editor')
    const made = await editor
      .send('post', '/keys')
      .send({ label: 'mine', scopes: ['write'] })
      .expect(201)
    const byKey = () =>
      supertest(service.origin).post('/api/v1/pages').auth(made.body.data.key, { type: 'bearer' }).send(page('/by-key'))
    await byKey().expect(201)
    const shown = await owner.send('get', `/members/${editor.userId}`).expect(200)
    assert.deepEqual(
      shown.body.data.keys.map((key: { name: string }) => key.name),
      ['mine'],
    )
    await owner.send('patch', `/members/${editor.userId}`).send({ role: 'viewer' }).expect(200)
    await byKey().expect(403)
    await editor.send('post', '/pages').send(page('/again')).expect(403)
    await editor.send('get', '/pages').expect(200)
    await owner.send('delete', `/members/${editor.userId}`).expect(200)
    assert.equal(codeOf(await editor.send('get', '/pages').expect(401)), 'unauthenticated')
    assert.equal(codeOf(await byKey().expect(401)), 'unauthenticated')
  })

  it('have keys that nobody else gets a new secret of', async () => {
    const editor = await signInAs(service, 'editor')
    const made = await editor
      .send('post', '/keys')
      .send({ label: 'mine', scopes: ['write'] })
      .expect(201)
    const path = `/keys/${made.body.data.id}`
    assert.equal(codeOf(await owner.send('post', `${path}/rotate`).send({}).expect(403)), 'forbidden_role')
    await editor.send('post', `${path}/rotate`).send({}).expect(201)
    await owner.send('delete', path).expect(200)
  })

  it('see only the sites of their role', async () => {
    const made = await owner
      .send('post', '/sites')
      .send({ slug: `two-${Date.now().toString(36)}` })
      .expect(201)
    const limited = await signInAs(service, 'editor', { sites: [made.body.data.id] })
    const seen = await limited.send('get', '/sites').expect(200)
    assert.deepEqual(
      seen.body.data.map((site: { id: string }) => site.id),
      [made.body.data.id],
    )
  })

  it('never leave a workspace without an owner, and only owners change owners', async () => {
    const admin = await signInAs(service, 'admin')
    for (const change of [{ role: 'viewer' }, { role: 'owner' }])
      assert.equal(
        codeOf(await admin.send('patch', `/members/${owner.userId}`).send(change).expect(403)),
        'forbidden_role',
      )
    assert.equal(codeOf(await admin.send('delete', `/members/${owner.userId}`).expect(403)), 'forbidden_role')
    const alone = await owner.send('patch', `/members/${owner.userId}`).send({ role: 'admin' }).expect(409)
    assert.equal(codeOf(alone), 'last_owner')
    assert.equal(codeOf(await owner.send('delete', `/members/${owner.userId}`).expect(409)), 'last_owner')
    await owner.send('patch', `/members/${admin.userId}`).send({ role: 'owner' }).expect(200)
    const both = await Promise.all([
      owner.send('patch', `/members/${owner.userId}`).send({ role: 'admin' }),
      admin.send('patch', `/members/${admin.userId}`).send({ role: 'admin' }),
    ])
    assert.deepEqual(
      both.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 409],
    )
  })

  it('never get a role back that the caller may not give, when a role set by hand is taken away', async () => {
    const { members } = service.server.service.services.catalog
    const { workspaceId } = service
    const limited = { source: 'invitation', workspaceId }
    const former = await signInAs(service, 'admin', { name: 'Former owner' })
    await members.give({ ...limited, userId: former.userId, role: 'owner', sites: null })
    const admin = await signInAs(service, 'admin')
    const { key } = await service.mint({ scopes: ['admin'] })
    const path = `/members/${former.userId}`
    for (const asked of [former.send('patch', path), admin.send('patch', path), service.api(key).patch(path)])
      assert.equal(codeOf(await asked.send({ role: null }).expect(403)), 'forbidden_role')
    assert.equal(members.rightsOf(workspaceId, former.userId)?.role, 'admin')

    const ofOneSite = await signInAs(service, 'admin', { sites: [service.site.id] })
    await members.give({ ...limited, userId: ofOneSite.userId, role: 'admin', sites: null })
    const lifted = await ofOneSite.send('patch', `/members/${ofOneSite.userId}`).send({ role: null }).expect(403)
    assert.equal(codeOf(lifted), 'forbidden_role')
    assert.deepEqual(members.rightsOf(workspaceId, ofOneSite.userId)?.sites, [service.site.id])

    const anOwner = await signInAs(service, 'owner')
    await anOwner.send('patch', path).send({ role: null }).expect(200)
    assert.equal(members.rightsOf(workspaceId, former.userId)?.role, 'owner')
    await anOwner.send('patch', path).send({ role: 'viewer' }).expect(200)
  })

  it('keep the role set by hand if it is their only one', async () => {
    const { userId } = await signInAs(service, 'editor')
    const anOwner = await signInAs(service, 'owner')
    const refused = await anOwner.send('patch', `/members/${userId}`).send({ role: null }).expect(409)
    assert.equal(codeOf(refused), 'conflict')
    assert.equal(service.server.service.services.catalog.members.rightsOf(service.workspaceId, userId)?.role, 'editor')
  })

  it('keep what other sources gave them when a role set by hand is taken away', async () => {
    const { userId } = await signInAs(service, 'viewer')
    const { members } = service.server.service.services.catalog
    await members.give({ workspaceId: service.workspaceId, userId, role: 'editor', sites: null, source: 'invitation' })
    const now = await signInAgain(service, userId)
    await now.send('post', '/pages').send(page('/by-hand')).expect(403)
    const anOwner = await signInAs(service, 'owner')
    const changed = await anOwner.send('patch', `/members/${userId}`).send({ role: null }).expect(200)
    assert.equal(changed.body.data.role, 'editor')
    await now.send('post', '/pages').send(page('/by-invitation')).expect(201)
  })
})
