import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { WriteGate } from '../../src/catalog/sqlite/write-gate.js'
import { Indexer } from '../../src/indexing/indexer.js'
import { createPage, listPages } from '../../src/usecases/pages/pages.js'
import { SiteWalk } from '../../src/indexing/site-walk.js'
import { readSigners } from '../../src/store/disk/signing-key.js'
import { dumpIndex } from '../catalog/index/open-test-index.js'
import { openServiceParts, type ServiceParts } from '../usecases/service-parts.js'
import { pushPages } from './push-pages.js'

const PAGES = 2_500
const MAX_LOG_BYTES = 16 * 1024 * 1024

describe('the index of a push of very many pages in one commit', () => {
  let parts: ServiceParts
  const isBetween = () => parts.index.position(parts.site.id)?.next !== undefined

  beforeEach(async () => {
    parts = await openServiceParts()
    await createPage(parts.services, parts.context(), { path: '/kept', html: '<title>Kept</title>' })
    await createPage(parts.services, parts.context(), { path: '/page-7', html: 'mine' })
    pushPages(parts.gitdir(), PAGES)
    await parts.untilSeen()
  })
  afterEach(() => parts.stop())

  it('lets writes of other sites come between, and shows nothing of itself until it is whole', async () => {
    const { services, indexer, site } = parts
    const other = await services.provisioner.createSite(parts.workspaceId, 'other')
    const walk = { isOver: false }
    const arrival = indexer.bringToHead(site).finally(() => (walk.isOver = true))
    let between = 0
    for (let n = 0; !walk.isOver; n += 1) {
      const wasBetween = isBetween()
      const { data } = await createPage(services, parts.context(), { path: `/${n}`, html: 'x', siteId: other.id })
      assert.equal(data.version.number, 1)
      if (!wasBetween || !isBetween()) continue
      between += 1
      assert.equal(parts.index.indexedCommit(site.id), undefined)
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

  it('leaves a short log: a long one would be copied into the file by the next write, which waits for that', async () => {
    await parts.indexer.bringToHead(parts.site)
    // A log is written anew from its beginning, and is as long as it ever was.
    const { size } = statSync(join(parts.dataDir, 'index.db-wal'))
    assert.ok(size < MAX_LOG_BYTES, `${size} bytes`)
  })

  it('goes on where its thread ended, and is as one that was made at once', async () => {
    const { index, indexer, site, dataDir } = parts
    const arrival = indexer.bringToHead(site)
    while (!isBetween()) await pause(2)
    await Promise.all([indexer.close(), assert.rejects(arrival)])
    assert.ok(isBetween())
    const next = new Indexer({ dataDir, troubles: parts.services.store.troubles, writeGate: new WriteGate() })
    await next.bringToHead(site)
    await next.close()
    const followed = dumpIndex(dataDir)
    const walk = new SiteWalk(parts.services.store.repositories.open(site), index, site, readSigners(dataDir))
    walk.startAnew()
    while (!walk.advance());
    walk.close()
    assert.deepEqual(dumpIndex(dataDir), followed)
  })

  async function listAll() {
    const rows = []
    let cursor: string | undefined
    do {
      const { data, nextCursor } = await listPages(parts.services, parts.context(), {
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
