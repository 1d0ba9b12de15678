import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rowsFileOf } from '../../index/open-test-index.js'
import { pushPages } from '../../indexing/push-pages.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { until, within, PATIENCE_MS } from '../../support/within.js'
import { endProcesses, makeKey, serve } from '../serve-process.js'

const WRITERS = 4
const ROUNDS = 6
const PAGES = 3_000

describe('the index of a site that is read and written meanwhile', () => {
  let service: TestService
  const folder = () => join(service.dataDir, 'index')
  const rows = () => rowsFileOf(service.dataDir, service.site.id)

  before(async () => {
    service = await startOwnService()
  })
  after(() => service.stop())

  const harms: Record<string, () => void> = {
    'its folder is removed': () => rmSync(folder(), { recursive: true, force: true }),
    'its file is removed': () => rmSync(rows(), { force: true }),
    'its log is removed': () => rmSync(`${rows()}-wal`, { force: true }),
    'its file is overwritten': () => existsSync(rows()) && writeFileSync(rows(), 'no database '.repeat(9_000)),
    'its log is overwritten': () => existsSync(rows()) && writeFileSync(`${rows()}-wal`, Buffer.alloc(50_000, 0xa5)),
  }
  for (const [name, harm] of Object.entries(harms)) {
    it(`answers each write and each read correctly while ${name} again and again`, async () => {
      const state = { isOver: false }
      const work = Promise.all(Array.from({ length: WRITERS }, (_, writer) => writeAndRead(`/${writer}`, state)))
      for (let round = 0; round < ROUNDS; round += 1) {
        await service.api().get('/pages').expect(200)
        harm()
      }
      state.isOver = true
      for (const { id, html, number } of await work) {
        const { body } = await service.api().get(`/pages/${id}`).expect(200)
        assert.deepEqual([body.data.html, body.data.version.number], [html, number])
      }
    })
  }

  /** Replaces a page until the work is over; each answer has the version that follows the one before. */
  async function writeAndRead(path: string, state: { isOver: boolean }) {
    const first = await service.api().put(`/pages?path=${path}`).send({ html: 'first' })
    const { id } = first.body.data
    let { number } = first.body.data.version
    let html = 'first'
    while (!state.isOver) {
      html = `text ${number} of ${path}`
      const { body } = await service.api().put(`/pages/${id}/content`).send({ html }).expect(200)
      assert.equal(body.data.version.number, ++number)
      const read = await service.api().get(`/pages/${id}`).expect(200)
      assert.deepEqual([read.body.data.html, read.body.data.version.number], [html, number])
    }
    return { id, html, number }
  }

  it('answers 503 if it cannot be written, while hosted pages are served, and works again once it can', async () => {
    await service.api().put('/pages?path=/kept').send({ html: 'kept' })
    rmSync(folder(), { recursive: true })
    writeFileSync(folder(), 'in the way')
    const { headers } = await service.api().get('/pages').expect(503)
    assert.match(headers['retry-after'] ?? '', /^\d+$/)
    await service.visit('/kept').expect(200, 'kept')
    renameSync(folder(), `${folder()}.aside`)
    await service.api().get('/pages').expect(200)
  })

  it('leaves no file when sites are created and deleted in a loop', async () => {
    const { key } = await service.mint({ scopes: ['admin'] })
    const api = service.api(key)
    const gone: string[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const { body } = await api
        .post('/sites')
        .send({ slug: `loop-${round}` })
        .expect(201)
      const { id } = body.data
      await api.post('/pages').set('x-service-site-id', id).send({ path: '/a', html: '<p>quokka' }).expect(201)
      await api.get('/search?q=quokka').set('x-service-site-id', id).expect(200)
      assert.ok(filesOf(id).length >= 2)
      await api.delete(`/sites/${id}`).expect(200)
      gone.push(id)
    }
    assert.deepEqual(gone.flatMap(filesOf), [])
  })

  function filesOf(siteId: string): string[] {
    return readdirSync(folder(), { recursive: true, encoding: 'utf8' }).filter((name) => name.includes(siteId))
  }
})

describe('kill -9 while the index takes a push of very many pages', () => {
  let dataDir: string

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-killed-index-'))
  })
  afterEach(async () => {
    await endProcesses(dataDir)
  })

  it('leaves no part of it, and the next start answers all of it', async () => {
    let server = await serve({ dataDir })
    const key = await makeKey(dataDir)
    const { body } = await server.api(key).get('/sites')
    const rows = rowsFileOf(dataDir, body.data[0].id)
    await server.api(key).get('/pages')
    const logBytes = () => statSync(`${rows}-wal`, { throwIfNoEntry: false })?.size ?? 0
    const before = logBytes()
    pushPages(join(dataDir, 'demo.git'), PAGES)
    const reading = server.api(key).get('/pages')
    reading.catch(() => undefined)
    await until(logBytes, (bytes) => bytes > before + 500_000)
    server.signal('SIGKILL')
    await server.ended
    server = await serve({ dataDir })
    await within(PATIENCE_MS, async () => {
      const page = await server.api(key).get(`/pages?path=/page-${PAGES - 1}`)
      assert.equal(page.body.data.length, 1)
      assert.equal(page.body.data[0].version.number, 1)
    })
    const site = await server.api(key).get(`/sites/${body.data[0].id}`)
    assert.ok(site.body.data.usage.pages >= PAGES)
  })
})
