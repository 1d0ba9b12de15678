import assert from 'node:assert/strict'
import { connectAgent } from '../../support/people/connect-agent.js'
import { auditEntries } from '../../support/people/audit-entries.js'
import { assertRefused } from '../../support/people/passkey-steps.js'
import { signInAs, type SignedIn } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'

describe('a person who leaves a workspace', () => {
  let service: TestService
  let other: TestService
  let owner: SignedIn

  before(async () => {
    service = await startOwnService()
    other = await service.inNewWorkspace()
    owner = await signInAs(service, 'owner', { name: 'Olga' })
  })
  after(() => service.stop())

  const leave = (person: SignedIn, { workspaceId }: TestService) =>
    person.send('delete', `/me/workspaces/${workspaceId}`)
  const join = (person: SignedIn, { workspaceId }: TestService) =>
    service.server.service.services.catalog.members.give({
      workspaceId,
      userId: person.userId,
      role: 'viewer',
      sites: null,
      source: 'invitation',
    })

  it('needs nobody for that, and keeps the others; keys and agents there end', async () => {
    const viewer = await signInAs(service, 'viewer', { name: 'Vic' })
    const { body } = await viewer.send('post', '/keys').send({ label: 'x' }).expect(201)
    const resource = `http://localhost:${service.server.port}/api/v1`
    const { access_token: token } = await connectAgent(service, viewer, { resource, choice: { scope: 'read' } })
    await join(viewer, other)
    await leave(viewer, service).expect(200)
    for (const bearer of [body.data.key as string, token]) await service.api(bearer).get('/me').expect(401)
    const me = await viewer.send('get', '/me').expect(200)
    assert.equal(me.body.data.workspace.id, other.workspaceId)
    const { action, target, actor } = auditEntries(service).at(-1) ?? assert.fail()
    assert.deepEqual([action, target, actor.userId], ['member.leave', `user ${viewer.userId}`, viewer.userId])
    await leave(viewer, other).expect(200)
    assertRefused(await viewer.send('get', '/me'), 'unauthenticated', /no longer a member/)
  })

  it('names a workspace of their own, which is not the one of the request', async () => {
    const viewer = await signInAs(service, 'viewer')
    assertRefused(await leave(viewer, other), 'workspace_not_found', /GET \/accounts lists yours/)
    await join(viewer, other)
    await leave(viewer, other).expect(200)
    await viewer.send('get', '/me').expect(200)
  })

  it('is not the last owner, and no key', async () => {
    assertRefused(await leave(owner, service), 'last_owner', /make another member an owner first/)
    const { key } = await service.mint({ scopes: ['admin'] })
    assertRefused(
      await service.api(key).delete(`/me/workspaces/${service.workspaceId}`),
      'person_required',
      /Only people leave/,
    )
  })
})
