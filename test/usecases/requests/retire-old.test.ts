import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { subjectOf } from '../../../src/catalog/requests/comments.js'
import type { Site } from '../../../src/catalog/site.js'
import { branchesOf } from '../../../src/repository/protocol/request-branches.js'
import { KEPT_DAYS } from '../../../src/usecases/requests/begin-request.js'
import { inRequest } from '../../../src/usecases/requests/in-request.js'
import { refuseTooMany } from '../../../src/usecases/requests/refuse-too-many.js'
import { changeRequest, createRequest } from '../../../src/usecases/requests/requests.js'
import { OldRequests } from '../../../src/usecases/requests/retire-old.js'
import { beginRequest, draftsIn, putIn } from './begin-request.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'

const DAY_SECONDS = 24 * 3600

describe('a change request that nobody uses', () => {
  let parts: ServiceParts

  let old: OldRequests
  let here: ServiceParts

  before(async () => (parts = await openServiceParts()))
  beforeEach(async () => {
    here = await parts.inNewWorkspace()
    old = new OldRequests(parts.services)
  })
  after(() => parts.stop())

  const retire = () => old.retire()
  const row = ({ request = '' }: Site) => parts.services.catalog.changeRequests.find(request)
  const hasIndex = ({ id, request }: Site) =>
    existsSync(join(parts.dataDir, 'index', id.slice(0, 2), `${id}.${request}.db`))
  const hasBranch = (site: Site) => branchesOf(draftsIn(parts.services, site)).includes(site.request ?? '')

  it('is closed after 90 days, can be reopened for 90 days, and then loses its branch and its index', async () => {
    const { site } = here
    const { changeRequests } = parts.services.catalog
    const [left, used] = [
      await beginRequest(parts.services, site, 'Left'),
      await beginRequest(parts.services, site, 'Used'),
    ]
    await putIn(here.call(), left, '/x', 'x')
    parts.pass(KEPT_DAYS * DAY_SECONDS)
    await retire()
    assert.equal(row(left)?.state, 'draft')
    await changeRequests.touch(row(used) ?? assert.fail())
    parts.pass(1)
    await retire()
    assert.deepEqual([row(left)?.state, row(used)?.state], ['closed', 'draft'])
    parts.pass(KEPT_DAYS * DAY_SECONDS)
    await retire()
    assert.equal(hasBranch(left) && hasIndex(left), true)
    const { comments } = parts.services.catalog
    const subject = subjectOf({ request: left.request })
    const said = { id: randomUUID(), siteId: site.id, subject, commit: '1'.repeat(40), path: null, place: null }
    await comments.create({ ...said, text: 'x', inReplyTo: null, author: 'Ada', madeBy: 'user ada', userId: 'ada' })
    assert.equal(await changeRequests.setState(left.request, ['closed'], 'draft'), true)
    await changeRequests.setState(left.request, ['draft'], 'closed')
    parts.pass(KEPT_DAYS * DAY_SECONDS + 1)
    await retire()
    assert.deepEqual([row(left)?.state, hasBranch(left), hasIndex(left)], ['closed', false, false])
    assert.equal(comments.find(said.id), undefined)
  })

  it('is closed after ten minutes if a crash came before the write that it was made for', async () => {
    const { site } = here
    const { changeRequests } = parts.services.catalog
    const made = (await createRequest(here.call(), { id: site.id })).data
    let left: Site = site
    await inRequest(here.call(), { changeRequest: 'new', siteId: site.id }, true, async ({ target }) => {
      left = target.site ?? assert.fail()
      parts.pass(9 * 60)
      await retire()
      assert.equal(row(left)?.state, 'draft')
      parts.pass(2 * 60)
      await retire()
      assert.deepEqual([row(left)?.state, changeRequests.find(made.id)?.state], ['closed', 'draft'])
      return { data: {} }
    })
    assert.equal(row(left), undefined)
    const write = async ({ target }: { target: { site?: Site | undefined } }) => {
      left = target.site ?? assert.fail()
      await putIn(here.call(), left, '/written', 'x')
      return { data: {} }
    }
    await inRequest(here.call(), { changeRequest: 'new', siteId: site.id }, true, write)
    parts.pass(11 * 60)
    await retire()
    assert.deepEqual([row(left)?.state, await changeRequests.countOpen(site.id)], ['draft', 2])
  })

  it('keeps no other from its turn, however many are old', async () => {
    const { site } = here
    const requests = []
    for (let made = 0; made < 25; made++) requests.push(await beginRequest(parts.services, site, 'Old'))
    const deleted = (await parts.inNewWorkspace()).site
    requests.push(await beginRequest(parts.services, deleted, 'Of a deleted site'))
    await parts.services.catalog.sites.markDeleted(deleted.id)
    for (const { request } of requests)
      await parts.services.catalog.changeRequests.setState(request, ['draft'], 'closed')
    parts.pass(KEPT_DAYS * DAY_SECONDS + 1)
    for (let calls = 0; calls < 3; calls++) await retire()
    assert.deepEqual(requests.slice(0, -1).filter(hasBranch), [])
  })
})

describe('the number of open change requests', () => {
  let parts: ServiceParts

  before(async () => (parts = await openServiceParts()))
  after(() => parts.stop())

  it('is held to when a closed one is opened again', async () => {
    const other = await parts.inNewWorkspace()
    const { site } = other
    const { changeRequests } = parts.services.catalog
    const { request: id } = await beginRequest(parts.services, site)
    await changeRequests.setState(id, ['draft'], 'closed')
    const { title, author, madeBy, userId } = changeRequests.find(id) ?? assert.fail()
    for (let open = 0; open < 100; open++)
      await changeRequests.create({ id: randomUUID(), siteId: site.id, title, state: 'draft', author, madeBy, userId })
    await assert.rejects(changeRequest(other.call(), { id, state: 'draft' }), refusal('too_many_change_requests'))
    assert.equal(changeRequests.find(id)?.state, 'closed')
  })

  it('is held to when many are begun, and many closed ones opened again, at the same moment', async () => {
    const other = await parts.inNewWorkspace()
    const { site } = other
    const { changeRequests } = parts.services.catalog
    const fulfilled = async (all: Promise<unknown>[]) =>
      (await Promise.allSettled(all)).filter(({ status }) => status === 'fulfilled').length
    const begin = async () => (await createRequest(other.call(), { id: site.id })).data.id
    const { author, madeBy, userId } = changeRequests.find(await begin()) ?? assert.fail()
    const fill = async (count: number) => {
      const request = { siteId: site.id, title: '', state: 'draft', author, madeBy, userId } as const
      for (let open = 0; open < count; open++) await changeRequests.create({ ...request, id: randomUUID() })
    }
    await fill(91)
    assert.equal(await fulfilled(Array.from({ length: 12 }, begin)), 8)
    assert.equal(await changeRequests.countOpen(site.id), 100)
    assert.equal(branchesOf(draftsIn(parts.services, site)).length, 9, 'a request that was refused leaves no branch')
    const rows = await changeRequests.list(site.id, { limit: 8 })
    for (const { id } of rows) await changeRequests.setState(id, ['draft'], 'closed')
    await fill(5)
    assert.equal(await fulfilled(rows.map(({ id }) => changeRequest(other.call(), { id, state: 'draft' }))), 3)
    assert.equal(await changeRequests.countOpen(site.id), 100)
  })

  it('is at most 100 of one author in a site, and 1,000 of all', async () => {
    const { site } = parts
    const { catalog } = parts.services
    const ask = (id: string, userId: string | null = null) =>
      refuseTooMany(catalog, { siteId: site.id, madeBy: `key ${id}`, userId })
    let made = 0
    const create = async (times: number, madeBy: string, userId: string | null) => {
      for (let time = 0; time < times; time++)
        await catalog.changeRequests.create({
          id: `request-${made++}`,
          siteId: site.id,
          title: 'One',
          state: 'draft',
          author: 'Ada',
          madeBy,
          userId,
        })
    }
    await create(99, 'key ada', null)
    await ask('ada')
    await create(1, 'key ada', null)
    await assert.rejects(ask('ada'), refusal('too_many_change_requests'))
    await ask('bob')
    await create(60, 'key one', 'person')
    await create(40, 'user person', 'person')
    await assert.rejects(ask('two', 'person'), refusal('too_many_change_requests'))
    for (let author = 0; author < 8; author++) await create(100, `key ${author}`, null)
    await assert.rejects(ask('bob'), {
      code: 'too_many_change_requests',
      message:
        'Nothing was changed: 1000 of 1000 change requests are open, and this would add 1. Publish or close some of them.',
      details: { used: 1_000, adds: 1, quota: 1_000 },
    })
    await catalog.changeRequests.setState('request-0', ['draft'], 'closed')
    await ask('bob')
  })
})
