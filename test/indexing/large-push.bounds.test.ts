import assert from 'node:assert/strict'
import { existsSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Indexer } from '../../src/indexing/indexer.js'
import { createPage, listPages } from '../../src/usecases/pages/pages.js'
import { SiteWalk } from '../../src/indexing/site-walk.js'
import { readSigners } from '../../src/repository/disk/signing-key.js'
import { dumpIndex, openIndexes, rowsFileOf } from '../index/open-test-index.js'
import { openServiceParts, type ServiceParts } from '../usecases/service-parts.js'
import { pushPages } from './push-pages.js'

const PAGES = 2_500

describe('the index of a push of very many pages in one commit', () => {
  let parts: ServiceParts
  /** Whether rows of the push are in the log, of a transaction that is open. */
  const logBytes = () => {
    const log = `${rowsFileOf(parts.dataDir, parts.site.id)}-wal`
    return existsSync(log) ? statSync(log).size : 0
  }

  beforeEach(async () => {
    parts = await openServiceParts()
    await createPage(parts.call(), { path: '/kept', html: '<title>Kept</title>' })
    await createPage(parts.call(), { path: '/page-7', html: 'mine' })
    pushPages(parts.gitdir(), PAGES)
    await parts.untilSeen()
  })
  afterEach(() => parts.stop())

  it('does not delay other sites, and shows nothing until it is complete', async () => {
    const { services, indexer, site } = parts
    const other = await services.provisioner.createSite(parts.workspaceId, 'other')
    const before = parts.index.indexedCommit
    const walk = { isOver: false }
    const arrival = indexer.bringToHead(site).finally(() => (walk.isOver = true))
    let between = 0
    for (let n = 0; !walk.isOver; n += 1) {
      const { data } = await createPage(
        { ...services, ...parts.context() },
        { path: `/${n}`, html: 'x', siteId: other.id },
      )
      assert.equal(data.version.number, 1)
      if (parts.index.indexedCommit === before) between += 1
    }
    await arrival
    assert.ok(between >= 1, `${between} writes came between`)
    const rows = await listAll()
    assert.equal(rows.length, PAGES + 1)
    assert.deepEqual(
      ['/kept', '/page-0', '/page-7'].map((path) => rows.find((row) => row.path === path)?.version.number),
      [1, 1, 2],
    )
    assert.ok(rows.every(({ path, title }) => path === '/page-7' || title === titleOf(path)))
  })

  it('is completed by the next thread if one ended in the middle, and equals one made at once', async () => {
    const { indexer, site, dataDir } = parts
    const before = logBytes()
    const arrival = indexer.bringToHead(site)
    while (logBytes() === before) await pause(1)
    await Promise.all([indexer.close(), assert.rejects(arrival)])
    const next = new Indexer({ dataDir, troubles: parts.services.store.troubles })
    await next.bringToHead(site)
    await next.close()
    const followed = dumpIndex(dataDir, site.id)
    const indexes = openIndexes(dataDir)
    const repository = parts.services.store.repositories.open(site)
    const walk = new SiteWalk(repository, indexes.of(site.id), readSigners(dataDir))
    walk.startAnew()
    while (!walk.advance());
    walk.close()
    indexes.close()
    assert.deepEqual(dumpIndex(dataDir, site.id), followed)
  })

  async function listAll() {
    const rows = []
    let cursor: string | undefined
    do {
      const { data, nextCursor } = await listPages(parts.call(), {
        limit: 1_000,
        ...(cursor !== undefined && { cursor }),
      })
      rows.push(...data)
      cursor = nextCursor ?? undefined
    } while (cursor !== undefined)
    return rows
  }
})

function titleOf(path: string): string {
  return path === '/kept' ? 'Kept' : path.replace('/page-', 'Page ')
}
