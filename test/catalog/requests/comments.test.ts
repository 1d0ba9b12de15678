import assert from 'node:assert/strict'
import { join } from 'node:path'
import { COMMENTS } from '../../../src/admission/comment-rows.js'
import { type Catalog, openCatalog } from '../../../src/catalog/catalog.js'
import { guestOf, type NewComment, readSubject, subjectOf } from '../../../src/catalog/requests/comments.js'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { useTemporaryFolders } from '../temporary-folder.js'

const AT = '2026-11-21T12:00:00Z'
const DAY_MS = 24 * 3600 * 1000
const SITES = ['site-demo', 'site-other'] as const
const REQUEST = subjectOf({ request: 'r1' })
const PAGE = subjectOf({ siteId: 'site-demo', page: 'p1' })

describe('comments', () => {
  const makeFolder = useTemporaryFolders()
  let now: Date
  let folder: string
  let catalog: Catalog
  let count = 0

  beforeEach(async () => {
    now = new Date(AT)
    count = 0
    folder = makeFolder()
    catalog = await openCatalog(folder, { clock: () => now })
    await catalog.workspaces.create({ id: 'w', name: 'W', createdAt: AT })
    for (const id of SITES) {
      const site = { id, workspaceId: 'w', slug: id, createdAt: AT }
      await catalog.sites.reserve(site)
      await catalog.sites.markLive(site)
    }
    await catalog.changeRequests.create({
      id: 'r1',
      siteId: SITES[0],
      title: 'Hours',
      state: 'review',
      author: 'Ada',
      madeBy: 'user ada',
      userId: 'ada',
    })
  })
  afterEach(() => catalog.close())

  const add = async (comment: Partial<NewComment> = {}) => {
    count += 1
    return await catalog.comments.create({
      id: `c${count}`,
      siteId: SITES[0],
      subject: REQUEST,
      commit: '1'.repeat(40),
      path: null,
      place: null,
      text: `text ${count}`,
      inReplyTo: null,
      author: 'Ada',
      madeBy: 'user ada',
      userId: 'ada',
      ...comment,
    })
  }
  const idsOf = async (page: Partial<Parameters<Catalog['comments']['list']>[1]> = {}, subject = REQUEST) =>
    (await catalog.comments.list(subject, { limit: 100, ...page })).map(({ id }) => id)
  /** Stores many at once, as earlier days did. */
  const fill = async (many: number, madeBy: string, subject = REQUEST) => {
    for (let at = 0; at < many; at += 1) assert.ok(await add({ madeBy, userId: null, subject }))
  }

  it('have numbers that give their order, also in one second and at once', async () => {
    const made = await Promise.all([add(), add(), add({ subject: PAGE }), add()])
    assert.deepEqual(
      made.map((comment) => comment?.number),
      [1, 2, 1, 3],
    )
    assert.deepEqual(await idsOf(), ['c1', 'c2', 'c4'])
    assert.deepEqual(await idsOf({ after: 1, limit: 1 }), ['c2'])
    assert.deepEqual(catalog.comments.find('c3'), made[2])
    assert.deepEqual([readSubject(REQUEST), readSubject(PAGE)], [{ request: 'r1' }, { siteId: SITES[0], page: 'p1' }])
  })

  it('are listed by the place and the state of their threads', async () => {
    await add({ path: '/a' })
    await add()
    await add({ inReplyTo: 'c1' })
    await add({ inReplyTo: 'c2' })
    assert.deepEqual(await idsOf({ path: '/a' }), ['c1', 'c3'])
    assert.equal(await catalog.comments.resolve('c1', 'Bob'), true)
    assert.equal(await catalog.comments.resolve('c1', 'Eva'), false)
    assert.deepEqual(await idsOf({ isOpen: true }), ['c2', 'c4'])
    assert.deepEqual(await idsOf({ isOpen: true, path: '/a' }), [])
    const { resolvedAt, resolvedBy } = catalog.comments.find('c1') ?? assert.fail()
    assert.deepEqual([resolvedAt, resolvedBy], [AT, 'Bob'])
    assert.equal(await catalog.comments.resolve('c1', null), true)
    assert.deepEqual(await idsOf({ isOpen: true }), ['c1', 'c2', 'c3', 'c4'])
  })

  it('count their open threads, and tell whether one asks for changes', async () => {
    assert.deepEqual(catalog.comments.openThreads(REQUEST), { count: 0, areChangesAsked: false })
    await add()
    await add({ asksForChanges: true })
    await add({ inReplyTo: 'c2' })
    assert.deepEqual(catalog.comments.openThreads(REQUEST), { count: 2, areChangesAsked: true })
    await catalog.comments.resolve('c2', 'Bob')
    assert.deepEqual(catalog.comments.openThreads(REQUEST), { count: 1, areChangesAsked: false })
  })

  it('are deleted with their answers, but not by an author whom others have answered', async () => {
    await add()
    await add({ inReplyTo: 'c1' })
    assert.equal(await catalog.comments.remove('c2', 'user ada'), true)
    await add({ inReplyTo: 'c1', madeBy: 'user bob' })
    assert.equal(await catalog.comments.remove('c1', 'user ada'), false)
    assert.deepEqual(await idsOf(), ['c1', 'c3'])
    assert.equal(await catalog.comments.remove('c1'), true)
    assert.deepEqual(await idsOf(), [])
    assert.equal(await add({ inReplyTo: 'c1' }), undefined)
  })

  it('are bounded for each request, and those of guests for each link and day', async () => {
    const guest = guestOf('l1')
    await fill(COMMENTS.link.quota, guest)
    assert.equal(await add({ madeBy: guest }), undefined)
    assert.ok(await add({ madeBy: guestOf('l2') }))
    now = new Date(now.getTime() + DAY_MS)
    assert.ok(await add({ madeBy: guest }))
    await fill(COMMENTS.link.quota, guestOf('l3'))
    await fill(COMMENTS.link.quota, guestOf('l4'))
    await fill(COMMENTS.guests.quota - 3 * COMMENTS.link.quota - 2, guestOf('l5'))
    assert.equal(await add({ madeBy: guestOf('l6') }), undefined)
    await fill(COMMENTS.subject.quota - COMMENTS.guests.quota, 'user ada')
    assert.equal(await add(), undefined)
    assert.ok(await add({ subject: PAGE }))
  })

  it('are bounded for each site', async () => {
    await add()
    const sqlite = openSqlite(join(folder, 'catalog.db'), { synchronous: 'FULL' })
    sqlite.exec(`
      INSERT INTO comments (id, site_id, subject, number, commit_oid, text, author, made_by, created_at)
      WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${COMMENTS.site.quota - 2})
      SELECT 'of-page-' || n, '${SITES[0]}', 'page ${SITES[0]} ' || (n / 100), n % 100, 'x', 'x', 'Ada', 'user ada', '${AT}' FROM counted`)
    sqlite.close()
    assert.ok(await add())
    assert.equal(await add(), undefined)
    assert.ok(await add({ siteId: SITES[1], subject: subjectOf({ siteId: SITES[1], page: 'p1' }) }))
  })

  it('end with their request and with their site', async () => {
    await add()
    await add({ subject: PAGE })
    await add({ siteId: SITES[1], subject: subjectOf({ siteId: SITES[1], page: 'p1' }) })
    await catalog.changeRequests.remove('r1')
    assert.deepEqual([catalog.comments.find('c1'), catalog.comments.find('c2')?.id], [undefined, 'c2'])
    await catalog.sites.markDeleted(SITES[0])
    await catalog.sites.forgetDeleted(SITES[0])
    assert.deepEqual([catalog.comments.find('c2'), catalog.comments.find('c3')?.id], [undefined, 'c3'])
    await catalog.sites.release(SITES[1])
    assert.equal(catalog.comments.find('c3'), undefined)
  })
})
