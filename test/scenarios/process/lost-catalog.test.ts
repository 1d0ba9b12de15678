import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CatalogUnusable } from '../../../src/catalog/catalog-file.js'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { runPalimpsest } from '../serve-process.js'

/** Ways to lose the catalog of a stopped service. */
const LOSSES: Record<string, (catalog: string) => void> = {
  'is missing': (catalog) => rmSync(catalog),
  'is empty': (catalog) => writeFileSync(catalog, ''),
  'is garbage': (catalog) => writeFileSync(catalog, Buffer.alloc(20_000, 0xa5)),
  'is cut short': (catalog) => truncateSync(catalog, Math.floor(statSync(catalog).size / 2)),
  'is a folder': (catalog) => {
    rmSync(catalog)
    mkdirSync(catalog)
  },
  'lacks a table': (catalog) => {
    const sqlite = openSqlite(catalog, { synchronous: 'NORMAL' })
    sqlite.exec('DROP TABLE grants')
    sqlite.close()
  },
  'is a new one without sites': (catalog) => {
    const sqlite = openSqlite(catalog, { synchronous: 'NORMAL' })
    sqlite.exec('PRAGMA foreign_keys = OFF; DELETE FROM sites; DELETE FROM workspaces; DELETE FROM api_keys')
    sqlite.close()
  },
}

describe('a catalog that is lost', () => {
  let original: string
  let ids: { demo: string; shop: string; page: string }
  let dataDir: string
  let service: TestService | undefined

  const start = (folder: string) => startOwnService({ dataDir: folder, keep: true })
  const catalog = () => join(dataDir, 'catalog.db')
  const palimpsest = (...args: string[]) => runPalimpsest({ DATA_DIR: dataDir }, ...args)

  before(async () => {
    original = mkdtempSync(join(tmpdir(), 'palimpsest-lost-'))
    const made = await start(original)
    const { key } = await made.mint({ scopes: ['admin'] })
    const shop = await made.api(key).post('/sites').send({ slug: 'shop' }).expect(201)
    const gone = await made.api(key).post('/sites').send({ slug: 'gone' }).expect(201)
    await made.api(key).delete(`/sites/${gone.body.data.id}`).expect(200)
    const page = await made.api(key).post('/pages').send({ path: '/a', html: 'kept' }).expect(201)
    ids = { demo: made.site.id, shop: shop.body.data.id, page: page.body.data.id }
    await made.stop()
    const sqlite = openSqlite(join(original, 'catalog.db'), { synchronous: 'NORMAL' })
    sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    sqlite.close()
  })
  after(() => rmSync(original, { recursive: true, force: true }))
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-lost-'))
    cpSync(original, dataDir, { recursive: true })
  })
  afterEach(async () => {
    await service?.stop()
    service = undefined
    rmSync(dataDir, { recursive: true, force: true })
  })

  for (const [state, lose] of Object.entries(LOSSES)) {
    it(`keeps the service from starting each time, and is rebuilt by recover: the file ${state}`, async () => {
      lose(catalog())
      for (let tries = 0; tries < 2; tries += 1) {
        await assert.rejects(start(dataDir), (error) => {
          assert.ok(error instanceof CatalogUnusable, String(error))
          assert.match(error.message, /catalog\.db .*palimpsest recover.*docs\/repair\.md, "The catalog"/)
          return true
        })
      }
      const refused = await palimpsest('sites', 'list')
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, /catalog\.db .*palimpsest recover/)

      const { code, stderr } = await palimpsest('recover')
      assert.equal(code, 0, stderr)
      service = await start(dataDir)
      await service.visit('/a', 'demo').expect(200, 'kept')
      await service.visit('/', 'shop').expect(404)
      const { catalog: recovered } = service.server.service.services
      assert.equal(recovered.sites.findBySlug('demo')?.id, ids.demo)
      assert.equal(recovered.sites.findBySlug('shop')?.id, ids.shop)
      // Sites of different people must not meet in one workspace.
      assert.notEqual(recovered.sites.findBySlug('shop')?.workspaceId, recovered.sites.findBySlug('demo')?.workspaceId)
      const workspaceId = recovered.sites.findBySlug('demo')?.workspaceId ?? ''
      const { key } = await service.mint({ workspaceId, scopes: ['admin'] })
      const { body } = await service.api(key).get(`/pages/${ids.page}`).expect(200)
      assert.equal(body.data.html, 'kept')
      await service.api(key).post('/sites').send({ slug: 'gone' }).expect(409)
    })
  }

  it('is recovered into one workspace if that is named, and keeps the damaged file', async () => {
    writeFileSync(catalog(), 'not a database')
    const { code, stderr } = await palimpsest('recover', '--workspace', 'All')
    assert.equal(code, 0, stderr)
    service = await start(dataDir)
    const workspaces = await service.server.service.services.catalog.workspaces.list()
    assert.deepEqual(
      workspaces.map(({ name }) => name),
      ['All'],
    )
    assert.ok(readdirSync(dataDir).some((name) => name.startsWith('catalog.db.broken-')))
  })

  it('is recovered without a copy of a site or a folder that is no repository, and names both', async () => {
    cpSync(join(dataDir, 'demo.git'), join(dataDir, 'demo2.git'), { recursive: true })
    mkdirSync(join(dataDir, 'empty.git'))
    rmSync(catalog())
    const { code, stdout, stderr } = await palimpsest('recover')
    assert.equal(code, 1)
    assert.match(stdout + stderr, /demo2 is left out: it is a copy of demo/)
    assert.match(stdout + stderr, /empty is left out: /)
    // It is no repository, so it cannot be judged.
    rmSync(join(dataDir, 'empty.git'), { recursive: true })
    service = await start(dataDir)
    await service.visit('/a', 'demo').expect(200, 'kept')
  })

  it('gets missing sites whose repositories exist, and nothing else of it changes', async () => {
    const sqlite = openSqlite(catalog(), { synchronous: 'NORMAL' })
    sqlite.exec("DELETE FROM sites WHERE slug = 'shop'")
    sqlite.close()
    const { code } = await palimpsest('recover')
    assert.equal(code, 0)
    service = await start(dataDir)
    const { catalog: recovered } = service.server.service.services
    assert.equal(recovered.sites.findBySlug('shop')?.id, ids.shop)
    assert.equal(recovered.sites.findBySlug('demo')?.id, ids.demo)
  })

  it('is not recovered while the service runs', async () => {
    service = await start(dataDir)
    const { code, stderr } = await palimpsest('recover')
    assert.equal(code, 1)
    assert.match(stderr, /The service uses .*: stop all its processes first/)
  })
})
