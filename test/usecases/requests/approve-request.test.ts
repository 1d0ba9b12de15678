import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { SiteProtection } from '../../../src/catalog/site.js'
import type { Role } from '../../../src/model/rights/roles.js'
import { approveRequest } from '../../../src/usecases/requests/approve-request.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'
import { asPerson, RequestWork } from './request-work.js'

describe('approving a change request', () => {
  let parts: ServiceParts
  let work: RequestWork
  let ada: ReturnType<typeof asPerson>
  let bob: ReturnType<typeof asPerson>

  before(async () => {
    parts = await openServiceParts()
    work = new RequestWork(parts)
    ada = asPerson(parts.call(), await join('Ada'), 'Ada')
    bob = asPerson(parts.call(), await join('Bob'), 'Bob')
  })
  after(() => parts.stop())

  async function join(name: string, role: Role = 'owner'): Promise<string> {
    const { catalog, clock } = parts.services
    const id = randomUUID()
    await catalog.users.create({ id, name, createdAt: clock().toISOString() })
    await catalog.members.setByHand(parts.workspaceId, id, { role, sites: null })
    return id
  }
  const protect = async (protection: SiteProtection['protection']) =>
    await parts.services.catalog.sites.protect(parts.site.id, { protection, approvers: 'editor' }, [])
  const approve = async (id: string, commit: string, call = ada) => (await approveRequest(call, { id, commit })).data

  it('is of one commit: a newer one needs another', async () => {
    await protect('all')
    const branch = await work.begin()
    await work.put(branch, '/approved', 'one')
    const looked = work.head(branch)
    const { approvals } = await approve(branch.request, looked)
    assert.deepEqual(
      approvals.map(({ commit, label }) => [commit, label]),
      [[looked, 'Ada']],
    )
    await work.put(branch, '/approved', 'two')
    await assert.rejects(work.publish(branch, {}, ada), refusal('approval_required'))
    await assert.rejects(approve(branch.request, looked), (error: { code: string; details: object }) => {
      assert.deepEqual([error.code, error.details], ['conflict', { head: work.head(branch) }])
      return true
    })
    await approve(branch.request, work.head(branch))
    const { commit } = await work.publish(branch, {}, bob)
    assert.equal(work.main(), commit)
    assert.deepEqual(work.trailers('Approved-By'), [`Ada (user ${ada.principal.person?.id})`])
  })

  it('is asked for by keys too, and is not of those who wrote it in a session', async () => {
    await protect('all')
    const branch = await work.begin('By Ada', ada)
    await work.put(branch, '/own', 'own', ada)
    await assert.rejects(approve(branch.request, work.head(branch), ada), refusal('approval_refused'))
    await assert.rejects(approve(branch.request, work.head(branch), parts.call()), refusal('approval_refused'))
    await approve(branch.request, work.head(branch), bob)
    await assert.rejects(work.publish(branch, {}, parts.call()), refusal('approval_required'))
    await work.publish(branch, {}, ada)
  })

  it('holds only while the person who gave it may give it', async () => {
    await protect('all')
    const eva = asPerson(parts.call(), await join('Eva', 'editor'), 'Eva')
    const branch = await work.begin()
    await work.put(branch, '/ended', 'ended')
    await approve(branch.request, work.head(branch), eva)
    await parts.services.catalog.members.take(parts.workspaceId, eva.principal.person?.id ?? '')
    await assert.rejects(work.publish(branch, {}, ada), refusal('approval_required'))
  })

  it('is not needed where people publish what keys and agents propose', async () => {
    await protect('agents')
    const branch = await work.begin()
    await work.put(branch, '/agents', 'agents')
    await assert.rejects(work.publish(branch, {}, parts.call()), refusal('approval_required'))
    await work.publish(branch, {}, bob)
    await protect('none')
  })

  it('is cancelled when main is merged into the request', async () => {
    await protect('none')
    const branch = await work.begin()
    await work.put(branch, '/updated', 'updated')
    await work.put(parts.site, '/main-moves', 'main')
    await protect('all')
    await approve(branch.request, work.head(branch))
    await work.update(branch)
    await assert.rejects(work.publish(branch, {}, bob), refusal('approval_required'))
    await protect('none')
  })
})
