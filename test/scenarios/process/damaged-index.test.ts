import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { rowsFileOf } from '../../index/open-test-index.js'
import { overwriteElsewhere } from '../../support/damage.js'
import { startOwnService, type TestService } from '../../support/service.js'

/** Ways to damage the index, both while the service runs and while it is stopped. */
const DAMAGES: Record<string, (index: string) => void> = {
  'garbage in its log': (index) => writeFileSync(`${index}-wal`, Buffer.alloc(300_000, 0xa5)),
  'a log cut short': (index) => truncateSync(`${index}-wal`),
  'garbage in the file': (index) => overwriteElsewhere(index, Buffer.alloc(300_000, 0xa5)),
  'a file that is replaced by garbage': (index) => {
    rmSync(index)
    writeFileSync(index, 'not a database')
  },
  'a folder in its place': (index) => {
    rmSync(index)
    mkdirSync(index)
  },
}

describe('a service whose index is damaged', () => {
  let dataDir: string
  let service: TestService
  let pageId: string
  let writes = 0

  const start = () => startOwnService({ dataDir, keep: true })
  const index = () => rowsFileOf(dataDir, service.site.id)
  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-damaged-'))
    service = await start()
    for (let page = 0; page < 30; page += 1)
      await service
        .api()
        .post('/pages')
        .send({ path: `/page-${page}` })
        .expect(201)
    const { body } = await service.api().post('/pages').send({ path: '/a', html: 'first' }).expect(201)
    pageId = body.data.id
  })
  after(async () => {
    await service.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** A write is answered with its version, and hosting shows it. */
  async function publishAndVisit(): Promise<void> {
    const html = `text ${++writes}`
    const { body } = await service.api().put(`/pages/${pageId}/content`).send({ html }).expect(200)
    assert.equal(body.data.version.number, writes + 1)
    await service.visit('/a').expect(200, html)
  }

  for (const [name, damage] of Object.entries(DAMAGES)) {
    it(`serves pages, takes writes and lists pages: ${name}, while it runs`, async () => {
      damage(index())
      await service.visit('/page-3').expect(200)
      await service.visit('/sitemap.xml').expect(200)
      await publishAndVisit()
      const { body } = await service.api().get('/pages?limit=100').expect(200)
      assert.equal(body.data.length, 32)
    })

    it(`serves pages, takes writes and lists pages: ${name}, before it starts`, async () => {
      await service.stop()
      if (name.includes('log')) writeFileSync(`${index()}-wal`, '')
      damage(index())
      service = await start()
      await service.visit('/page-3').expect(200)
      await publishAndVisit()
      await service.api().get('/pages').expect(200)
    })
  }

  it('serves pages, and answers writes once the lock is free, while another process holds the index', async () => {
    const other = openSqlite(index(), { synchronous: 'NORMAL' })
    other.exec('BEGIN IMMEDIATE')
    const written = publishAndVisit()
    await service.visit('/page-3').expect(200)
    other.exec('ROLLBACK')
    other.close()
    await written
  })

  it('keeps the index in place if a client asks for a field whose name has an error message of the database', async () => {
    const api = service.api()
    const { body } = await api.post('/collections').send({ name: 'c' }).expect(201)
    const before = statSync(index()).ino
    const records = `/collections/${body.data.id}/records`
    await api
      .post(records)
      .send({ data: { a: 1 } })
      .expect(201)
    for (const field of ['no such table\\', 'no such index\\', 'a\\']) {
      await api.get(`${records}?sort=${encodeURIComponent(field)}`).expect(200)
      await api.get(`${records}?filter${encodeURIComponent(`[${field}]`)}=x`).expect(200)
    }
    assert.equal(statSync(index()).ino, before)
  })
})
