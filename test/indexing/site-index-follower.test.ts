import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SiteIndex } from '../../src/index/site-index.js'
import { SiteIndexFollower } from '../../src/indexing/site-index-follower.js'
import { parsePagePath } from '../../src/model/paths/page-path.js'
import type { SiteRef, Write } from '../../src/repository/protocol/write.js'
import { createPage, getPage, listPages, replacePage } from '../../src/usecases/pages/pages.js'
import { unpublishPage } from '../../src/usecases/moves/unpublish-page.js'
import { listVersions } from '../../src/usecases/pages/versions.js'
import { PAGE_BYTES, rowsFileOf, spoilTable } from '../index/open-test-index.js'
import { git } from '../support/git.js'
import { openServiceParts, refusal, type ServiceParts, START } from '../usecases/service-parts.js'
import { PATIENCE_MS, until, within } from '../support/within.js'

/** A page of the database with its header in SQLite's log (sqlite.org/fileformat2, §4.1). */
const WAL_FRAME_BYTES = PAGE_BYTES + 24
const ROUNDS = 10
/** The limit for a small site. More than 17 are written if the page's row is replaced together with its entries in all indexes. */
const MAX_WRITTEN_PAGES = 15

describe('the index', () => {
  let parts: ServiceParts
  const create = (path: string, more: object = {}) =>
    createPage(parts.call(), { path, html: `<title>${path}</title>`, ...more })
  const list = async () => (await listPages(parts.call(), { status: 'all' })).data
  const indexFiles = () => ['', '-wal', '-shm'].map((end) => `${rowsFileOf(parts.dataDir, parts.site.id)}${end}`)

  beforeEach(async () => {
    parts = await openServiceParts()
  })
  afterEach(() => parts.stop())

  it('answers the same after its file was deleted under the running service', async () => {
    const { data } = await create('/a')
    await create('/b')
    await replacePage(parts.call(), { id: data.id, html: 'two' })
    await unpublishPage(parts.call(), { id: data.id })
    const versions = async () => (await listVersions(parts.call(), { id: data.id })).data
    const before = [await list(), await versions()]
    for (const file of indexFiles()) rmSync(file, { force: true })
    assert.deepEqual([await list(), await versions()], before)
  })

  it('answers the same after its file was broken', async () => {
    await create('/a')
    const before = await list()
    for (const file of indexFiles()) rmSync(file, { force: true })
    writeFileSync(indexFiles()[0] ?? '', 'this is no database')
    assert.deepEqual(await list(), before)
  })

  it('is made again for a change request that begins while its file is broken', async () => {
    for (const path of ['/a', '/b', '/c']) await create(path)
    const before = await list()
    spoilTable(rowsFileOf(parts.dataDir, parts.site.id), 'versions')
    const request = { ...parts.site, request: randomUUID() }
    const fork = await parts.services.indexFollower.fork(request)
    assert.equal(fork, git(parts.gitdir(), 'rev-parse', 'main'))
    assert.deepEqual(await list(), before)
  })

  it('is complete for each of many waiting requests', async () => {
    for (const path of ['/a', '/b', '/c']) await create(path)
    parts.index.forget()
    const lists = await Promise.all(Array.from({ length: 20 }, list))
    assert.deepEqual(new Set(lists.map(({ length }) => length)), new Set([3]))
  })

  it('answers a search beside writes that never stop', async () => {
    await create('/first')
    const { tasks, indexFollower } = parts.services
    let later = 0
    const { hits } = await indexFollower.ask(parts.site, true, async (query) => {
      // The index moves on between the question and the task that reads the text.
      await create(`/later-${later++}`)
      const search = { ...query, q: 'first', from: 0, limit: 10 }
      return await tasks.run('searchPages', search, { workspaceId: parts.workspaceId })
    })
    assert.deepEqual(
      hits.map(({ path }) => path),
      ['/first'],
    )
  })

  it('is written in few places for a new version of a page with the same path and state', async () => {
    const { data } = await create('/a')
    for (let i = 0; i < 20; i++) await create(`/other-${i}`)
    const framesOf = () => statSync(`${rowsFileOf(parts.dataDir, parts.site.id)}-wal`).size / WAL_FRAME_BYTES
    const before = framesOf()
    for (let i = 0; i < ROUNDS; i++) await replacePage(parts.call(), { id: data.id, html: `${i}` })
    const written = (framesOf() - before) / ROUNDS
    assert.ok(written > 0 && written < MAX_WRITTEN_PAGES, `${written} pages for each`)
  })

  it('starts over if the history was rewritten, and the old tip is kept', async () => {
    const { data } = await create('/a')
    await create('/b')
    const tip = git(parts.gitdir(), 'rev-parse', 'main')
    const fork = git(parts.gitdir(), 'commit-tree', '-p', 'main~1', '-m', 'Another way', 'main~1^{tree}')
    git(parts.gitdir(), '-c', 'core.hooksPath=/dev/null', 'update-ref', 'refs/heads/main', fork)
    await parts.untilSeen()
    assert.deepEqual(
      (await list()).map(({ id }) => id),
      [data.id],
    )
    assert.match(git(parts.gitdir(), 'for-each-ref', 'refs/palimpsest/lost/'), new RegExp(tip))
  })

  it('leaves the pages of other sites readable when one repository is broken', async () => {
    const { services } = parts
    const second = await services.provisioner.createSite(parts.workspaceId, 'second')
    const { data: good } = await create('/good')
    const { data: sick } = await create('/sick', { siteId: second.id })
    writeFileSync(join(parts.gitdir(second), 'refs/heads/main'), 'broken\n')
    const read = (id: string) => getPage({ ...services, ...parts.context() }, { id })
    await within(PATIENCE_MS, () => assert.rejects(read(sick.id), { code: 'site_unreadable' }))
    assert.equal((await read(good.id)).data.path, '/good')
    await assert.rejects(read('11111111-1111-4111-9111-111111111111'), refusal('page_not_found'))
    const listed = listPages({ ...services, ...parts.context({ siteId: second.id }) }, {})
    await assert.rejects(listed, refusal('site_unreadable'))
  })

  describe('read while a write has moved main and is not answered', () => {
    const write = (html: string): Write => ({
      operation: {
        kind: 'publish-page',
        newId: randomUUID(),
        path: parsePagePath('/a'),
        html: Buffer.from(html),
        title: undefined,
        templateId: null,
        replace: true,
      },
      author: 'Ada',
      time: START / 1000,
      trailers: [],
    })
    const sizeOf = (index: SiteIndex) => index.pages.findByPath('/a')?.size

    /** Counts what the follower asks of the indexer's thread. */
    const follow = () => {
      const { store } = parts.services
      let asked = 0
      const indexer = {
        bringToHead: (site: SiteRef) => {
          asked += 1
          return parts.indexer.bringToHead(site)
        },
        fork: (site: SiteRef) => parts.indexer.fork(site),
        seed: (site: SiteRef) => parts.indexer.seed(site),
        findBehind: (sites: readonly SiteRef[]) => parts.indexer.findBehind(sites),
        findPage: (siteIds: readonly string[], pageId: string) => parts.indexer.findPage(siteIds, pageId),
        forget: (site: SiteRef) => parts.indexer.forget(site),
        expire: (siteId: string) => parts.indexer.expire(siteId),
      }
      const texts = {
        note: () => undefined,
        expire: () => undefined,
        follow: async () => undefined,
        forget: async () => undefined,
      }
      const follower = new SiteIndexFollower({ indexes: parts.indexes, indexer, texts, store, dataDir: parts.dataDir })
      return { follower, store, asked: () => asked }
    }

    it('waits for the answer, and does not start the indexer', async () => {
      await create('/a')
      const { follower, store, asked } = follow()
      await follower.read(parts.site, sizeOf)
      const before = asked()
      const base = store.reader.head(parts.site)
      let answer = (): void => undefined
      const answered = new Promise<void>((resolve) => (answer = resolve))
      const writing = follower.duringWrite(parts.site, async () => {
        await store.write(parts.site, write('four'))
        await answered
      })
      await until(
        () => store.reader.head(parts.site),
        (head) => head !== base && parts.index.indexedCommit === head,
      )
      assert.equal(await follower.read(parts.site, sizeOf), 4)
      answer()
      await writing
      assert.equal(asked(), before)
    })

    it('makes the indexer follow if another commit came before the answered write', async () => {
      await create('/a')
      const { follower, store, asked } = follow()
      await follower.read(parts.site, sizeOf)
      const before = asked()
      const { reading } = await follower.duringWrite(parts.site, async () => {
        const theirs = git(parts.gitdir(), 'commit-tree', '-p', 'main', '-m', 'By hand', 'main^{tree}')
        git(parts.gitdir(), '-c', 'core.hooksPath=/dev/null', 'update-ref', 'refs/heads/main', theirs)
        const read = follower.read(parts.site, sizeOf)
        await store.write(parts.site, write('five!'))
        return { reading: read }
      })
      assert.equal(await reading, 5)
      assert.equal(asked(), before + 1)
    })
  })
})
