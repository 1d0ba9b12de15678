import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type Catalog, openCatalog } from '../../../src/catalog/catalog.js'
import { catalogMigrations } from '../../../src/catalog/database/catalog-migrations.js'
import { openDatabase } from '../../../src/catalog/database/database.js'
import { UNSCHEDULED } from '../../../src/catalog/requests/change-requests.js'
import { useTemporaryFolders } from '../temporary-folder.js'

const createdAt = '2026-11-21T10:00:00Z'
const AT = '2026-11-21T12:00:00Z'
const DEMO = { id: 'site-demo', workspaceId: 'w', slug: 'demo', createdAt }
const OTHER = { id: 'site-other', workspaceId: 'w', slug: 'other', createdAt }
const BY_KEY = { author: 'CI', madeBy: 'key k1', userId: null }
const BY_ADA = { author: 'Ada', madeBy: 'user ada', userId: 'ada' }
const BY_HER_AGENT = { author: 'Ada (Claude)', madeBy: 'agent a1', userId: 'ada' }

describe('change requests', () => {
  const makeFolder = useTemporaryFolders()
  let now: Date
  let catalog: Catalog
  let count = 0

  beforeEach(async () => {
    now = new Date(AT)
    count = 0
    catalog = await openCatalog(makeFolder(), { clock: () => now })
    await catalog.workspaces.create({ id: 'w', name: 'W', createdAt })
    for (const site of [DEMO, OTHER]) {
      await catalog.sites.reserve(site)
      await catalog.sites.markLive(site)
    }
  })
  afterEach(() => catalog.close())

  async function make(site = DEMO, by: typeof BY_KEY | typeof BY_ADA = BY_KEY, state: 'draft' | 'review' = 'draft') {
    count += 1
    return await catalog.changeRequests.create({ id: `r${count}`, siteId: site.id, title: `${count}`, state, ...by })
  }
  const numbers = async (page: Partial<Parameters<Catalog['changeRequests']['list']>[1]> = {}) =>
    (await catalog.changeRequests.list(DEMO.id, { limit: 100, ...page })).map(({ number }) => number)

  it('are numbered in their site, and found by id and by number', async () => {
    const made = await Promise.all([make(), make(OTHER), make()])
    assert.deepEqual(
      made.map(({ number }) => number),
      [1, 1, 2],
    )
    assert.deepEqual(made[2], {
      id: 'r3',
      siteId: DEMO.id,
      number: 2,
      title: '3',
      state: 'draft',
      ...BY_KEY,
      createdAt: AT,
      updatedAt: AT,
      closedAt: null,
      ...UNSCHEDULED,
      pageId: null,
    })
    assert.deepEqual(catalog.changeRequests.find('r3'), made[2])
    assert.deepEqual(catalog.changeRequests.findByNumber(DEMO.id, 2), made[2])
    assert.equal(catalog.changeRequests.findByNumber(OTHER.id, 2), undefined)
    assert.equal(catalog.changeRequests.find('r4'), undefined)
  })

  it('are listed from the newest on, in parts, by state and by author', async () => {
    for (const by of [BY_KEY, BY_ADA, BY_HER_AGENT]) await make(DEMO, by)
    await make(DEMO, BY_ADA, 'review')
    await make(OTHER)
    assert.deepEqual(await numbers(), [4, 3, 2, 1])
    assert.deepEqual(await numbers({ before: 4, limit: 2 }), [3, 2])
    assert.deepEqual(await numbers({ states: ['review'] }), [4])
    assert.deepEqual(await numbers({ author: { madeBy: 'agent a1' } }), [3])
    assert.deepEqual(await numbers({ author: { userId: 'ada' }, states: ['draft'] }), [3, 2])
    assert.equal(await catalog.changeRequests.countOpen(DEMO.id), 4)
    assert.equal(await catalog.changeRequests.countOpen(DEMO.id, { userId: 'ada' }), 3)
    assert.ok(await catalog.changeRequests.setState('r2', ['draft'], 'closed'))
    assert.equal(await catalog.changeRequests.countOpen(DEMO.id, { userId: 'ada' }), 2)
  })

  it('are the one open draft of a page and a person, also if two are made at the same moment', async () => {
    const { changeRequests } = catalog
    const begin = (id: string, by: typeof BY_KEY | typeof BY_ADA, pageId = 'p') =>
      changeRequests.createWithinLimits({ id, siteId: DEMO.id, title: id, state: 'draft', ...by, pageId })
    const made = await Promise.all([begin('a', BY_ADA), begin('b', BY_HER_AGENT), begin('c', BY_KEY)])
    assert.deepEqual(
      made.map((row) => row?.id),
      ['a', undefined, 'c'],
    )
    assert.ok(await begin('d', BY_ADA, 'another page'))
    assert.equal((await changeRequests.findDraft(DEMO.id, { userId: 'ada' }, 'p'))?.id, 'a')
    assert.deepEqual(await numbers({ pageId: 'p' }), [2, 1])
    assert.ok(await changeRequests.setState('a', ['draft'], 'closed'))
    assert.equal(await changeRequests.findDraft(DEMO.id, { userId: 'ada' }, 'p'), undefined)
    assert.ok(await begin('e', BY_ADA))
  })

  it('change their state only from a state that the caller expects', async () => {
    const { changeRequests } = catalog
    await make()
    assert.ok(await changeRequests.setState('r1', ['draft', 'review'], 'closed'))
    assert.deepEqual([changeRequests.find('r1')?.state, changeRequests.find('r1')?.closedAt], ['closed', AT])
    assert.ok(!(await changeRequests.setState('r1', ['draft', 'review'], 'closed')))
    assert.ok(await changeRequests.setState('r1', ['closed'], 'review'))
    assert.deepEqual([changeRequests.find('r1')?.state, changeRequests.find('r1')?.closedAt], ['review', null])
    await changeRequests.rename('r1', 'Prices')
    assert.equal(changeRequests.find('r1')?.title, 'Prices')
  })

  it('note the time of a write once an hour, and are listed once nobody has written for long', async () => {
    const { changeRequests } = catalog
    const [left, used] = [await make(), await make()]
    now = new Date('2026-11-21T12:59:59Z')
    await changeRequests.touch(used)
    assert.equal(changeRequests.find(used.id)?.updatedAt, AT)
    now = new Date('2026-11-21T13:00:00Z')
    await changeRequests.touch(used)
    const untouched = await catalog.requestLists.listUntouched('2026-11-21T13:00:00Z', 10)
    assert.deepEqual(
      untouched.map(({ id }) => id),
      [left.id],
    )
  })

  it('are listed by their ends, in parts', async () => {
    const { changeRequests } = catalog
    for (const { id } of [await make(), await make(), await make(), await make()].slice(0, 3))
      await changeRequests.setState(id, ['draft'], 'closed')
    const before = '2026-11-22T00:00:00Z'
    const first = await catalog.requestLists.listClosed(before, 2)
    assert.deepEqual(
      first.map(({ id }) => id),
      ['r1', 'r2'],
    )
    const { id, closedAt } = first[1]!
    const rest = await catalog.requestLists.listClosed(before, 2, { id, closedAt: closedAt! })
    assert.deepEqual(
      rest.map((request) => request.id),
      ['r3'],
    )
    assert.deepEqual(await catalog.requestLists.listClosed(AT, 2), [])
  })

  it('know each of their makers once', async () => {
    const { requestMakers } = catalog
    await make()
    const [key, agent] = [
      { madeBy: 'key k1', userId: null, label: 'CI' },
      { madeBy: 'agent a1', userId: 'ada', label: 'Ada (Claude)' },
    ]
    for (const maker of [key, agent, key]) await requestMakers.note('r1', maker)
    assert.deepEqual(requestMakers.list('r1'), [agent, key])
    assert.deepEqual(requestMakers.list('r2'), [])
  })

  it('keep every approval as it was given', async () => {
    const { approvals } = catalog
    await make()
    const first = { requestId: 'r1', commit: 'a', userId: 'ada', label: 'Ada' }
    await approvals.approve(first)
    now = new Date('2026-11-21T13:00:00Z')
    await approvals.approve({ ...first, label: 'Another name' })
    await approvals.approve({ ...first, commit: 'b' })
    assert.deepEqual(approvals.list('r1'), [
      { commit: 'a', userId: 'ada', label: 'Ada', createdAt: AT },
      { commit: 'b', userId: 'ada', label: 'Ada', createdAt: '2026-11-21T13:00:00Z' },
    ])
  })

  it('go with their site, and so do their makers, approvals and the exceptions from its protection', async () => {
    await make()
    const kept = await make(OTHER)
    for (const requestId of ['r1', 'r2']) {
      await catalog.requestMakers.note(requestId, { madeBy: 'key k1', userId: null, label: 'CI' })
      await catalog.approvals.approve({ requestId, commit: 'a', userId: 'ada', label: 'Ada' })
    }
    for (const { id } of [DEMO, OTHER])
      await catalog.sites.protect(id, { protection: 'all', approvers: 'owner' }, ['k1'])
    await catalog.sites.forgetDeleted(DEMO.id)
    assert.ok(catalog.changeRequests.find('r1'), 'a live site keeps its requests')
    await catalog.sites.markDeleted(DEMO.id)
    await catalog.sites.forgetDeleted(DEMO.id)
    await catalog.sites.release(DEMO.id)
    assert.equal(catalog.changeRequests.find('r1'), undefined)
    assert.deepEqual(catalog.requestMakers.list('r1'), [])
    assert.deepEqual(catalog.approvals.list('r1'), [])
    assert.deepEqual(catalog.protectionExceptions.list(DEMO.id), [])
    assert.deepEqual(catalog.changeRequests.find('r2'), kept)
    assert.equal(catalog.requestMakers.list('r2').length + catalog.approvals.list('r2').length, 2)
    assert.ok(catalog.protectionExceptions.has(OTHER.id, 'k1'))
  })

  it('leave a site as it is until it is protected, and the protection comes with the site', async () => {
    const { sites, protectionExceptions } = catalog
    assert.equal(sites.findBySlug('demo')?.protection, 'none')
    assert.deepEqual(sites.protectedIn('w'), [])
    await sites.protect(DEMO.id, { protection: 'agents', approvers: 'admin' }, ['k2', 'k1'])
    for (const site of [sites.findBySlug('demo'), sites.find('w', DEMO.id)])
      assert.deepEqual([site?.protection, site?.approvers], ['agents', 'admin'])
    assert.deepEqual(
      sites.protectedIn('w').map(({ slug }) => slug),
      ['demo'],
    )
    assert.deepEqual(protectionExceptions.list(DEMO.id), ['k1', 'k2'])
    await sites.protect(DEMO.id, { protection: 'none', approvers: 'editor' }, [])
    assert.deepEqual(protectionExceptions.list(DEMO.id), [])
    assert.ok(!protectionExceptions.has(DEMO.id, 'k1'))
    assert.deepEqual(sites.protectedIn('w'), [])
  })

  it('come into a catalog of the version before, whose sites are not protected', async () => {
    const folder = makeFolder()
    const steps = Object.entries(catalogMigrations).filter(([name]) => name < '0021')
    const file = join(folder, 'catalog.db')
    const old = await openDatabase(file, { synchronous: 'FULL', migrations: Object.fromEntries(steps) })
    old.sqlite.exec(`INSERT INTO workspaces (id, name, created_at) VALUES ('w', 'W', '${createdAt}');
      INSERT INTO sites (id, workspace_id, slug, state, created_at) VALUES ('s', 'w', 'demo', 'live', '${createdAt}')`)
    old.close()
    const opened = await openCatalog(folder)
    const site = opened.sites.findBySlug('demo')
    await opened.close()
    assert.deepEqual([site?.protection, site?.approvers], ['none', 'editor'])
  })
})
