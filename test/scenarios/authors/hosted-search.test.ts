import assert from 'node:assert/strict'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { siteFileOf } from '../../../src/index/tables/site-file.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { PATIENCE_MS, within } from '../../support/within.js'

interface Found {
  q: string
  hits: { url: string; title: string | null; lines: { text: string; ranges: [number, number][] }[] }[]
  nextPage: number | null
}

describe('the search of a hosted site', () => {
  let service: TestService
  let admin: string
  before(async () => {
    service = await startOwnService({ env: { MAX_SEARCHES_PER_ADDRESS: '1000' } })
    admin = (await service.mint({ scopes: ['admin'] })).key
    await put('/hours', '<title>Opening & hours</title>\n<p>We are <b>open</b> at "nine" & <i>later</i> &lt;b&gt;.</p>')
    await put('/other', '<title>Other</title><p>closed</p>')
  })
  after(() => service.stop())

  const put = async (path: string, html: string) => {
    const { body } = await service.api().put(`/pages?path=${path}`).send({ html })
    return (body.data as { id: string }).id
  }
  const set = (settings: { search?: boolean; publicHistory?: boolean }, site = service.site.id) =>
    service.api(admin).patch(`/sites/${site}`).send(settings).expect(200)
  const ask = (q: string, more = '') => service.visit(`/_search?q=${encodeURIComponent(q)}${more}`)
  const found = async (q: string, more = '') =>
    (await ask(q, more).set('Accept', 'application/json').expect(200)).body as Found
  const urls = async (q: string) => (await found(q)).hits.map(({ url }) => url)

  it('is off until the site switches it on, and again once it switches it off', async () => {
    await ask('open').expect(404)
    assert.equal((await set({ search: true })).body.data.search, true)
    // A service that is busy with the texts says so, and is asked again.
    await within(PATIENCE_MS, async () => void (await ask('open').expect(200)))
    await set({ search: false })
    await ask('open').expect(404)
    await set({ search: true })
  })

  it('answers programs that ask for JSON', async () => {
    const answer = await ask('nine later').set('Accept', 'application/json').expect(200)
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    const text = 'We are open at "nine" & later <b>.'
    const ranges = [
      [16, 20],
      [24, 29],
    ]
    assert.deepEqual(answer.body, {
      q: 'nine later',
      hits: [{ url: '/hours', title: 'Opening & hours', lines: [{ text, ranges }] }],
      nextPage: null,
    })
    assert.deepEqual((await found('')).hits, [])
  })

  it('answers people with a page without scripts, in which text of pages and queries is escaped', async () => {
    const { text, headers } = await ask('nine later').expect(200)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.match(text, /<a href="\/hours">Opening &amp; hours<\/a>/)
    assert.ok(text.includes('open at &quot;<mark>nine</mark>&quot; &amp; <mark>later</mark> &lt;b&gt;.</p>'))
    assert.match(text, /<meta name="robots" content="noindex">/)
    assert.doesNotMatch(text, /<script/)
    const evil = await ask('"><script>alert(1)</script>').expect(200)
    assert.doesNotMatch(evil.text, /<script/)
    assert.ok(evil.text.includes('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"'))
    assert.match(evil.headers['content-security-policy'] ?? '', /^default-src 'none';/)
    assert.match((await service.visit('/_search').expect(200)).text, /<form action="\/_search"/)
  })

  it('has an entity tag for each form, answers HEAD without a body, and is in no search engine', async () => {
    for (const accept of ['application/json', 'text/html']) {
      const answer = await ask('open').set('Accept', accept).expect(200)
      const tag = answer.headers['etag'] ?? ''
      assert.match(tag, /^"[0-9a-f]{40}"$/)
      assert.equal(answer.headers['vary'], 'Accept')
      assert.equal(answer.headers['cache-control'], 'public, max-age=0, must-revalidate')
      assert.equal(answer.headers['x-robots-tag'], 'noindex')
      await ask('open').set('Accept', accept).set('If-None-Match', tag).expect(304)
      const head = await service.visit('/_search?q=open').set('Accept', accept)
      assert.equal(head.headers['content-length'], answer.headers['content-length'])
    }
  })

  it('finds a page once it is published, and no longer once visitors cannot open it', async () => {
    const id = await put('/secret', '<title>Secret</title><p>mongoose</p>')
    assert.deepEqual(await urls('mongoose'), ['/secret'])
    await service.api().put('/files?path=/_redirects').set('Content-Type', 'text/plain').send('/secret / 302!\n')
    assert.deepEqual(await urls('mongoose'), [])
    await service.api().delete('/files?path=/_redirects').expect(200)
    assert.deepEqual(await urls('mongoose'), ['/secret'])
    await service.api().delete(`/pages/${id}`).expect(200)
    assert.deepEqual(await urls('mongoose'), [])
    await service.api(admin).post(`/pages/${id}/versions/1/withdraw`).send({}).expect(200)
    await put('/secret', '<title>Secret</title><p>mongoose</p>')
    assert.deepEqual(await urls('mongoose'), [])
    const { body } = await service.api().get('/search?q=mongoose').expect(200)
    assert.equal((body.data as unknown[]).length, 1)
    await service.api().delete(`/pages/${id}`).expect(200)
  })

  it('shows twenty hits at once and links to the next ones', async () => {
    const operations = Array.from({ length: 25 }, (_, i) => ({ op: 'putPage', path: `/many/${i}`, html: '<p>walrus' }))
    await service.api().post('/batch').send({ operations }).expect(200)
    // A service that is busy with the texts of 25 pages says so, and is asked again.
    const first = await within(PATIENCE_MS, () => found('walrus'))
    assert.deepEqual([first.hits.length, first.nextPage], [20, 2])
    const second = await found('walrus', '&page=2')
    assert.deepEqual([second.hits.length, second.nextPage], [5, null])
    assert.equal(new Set([...first.hits, ...second.hits].map(({ url }) => url)).size, 25)
    assert.match((await ask('walrus')).text, /href="\/_search\?q=walrus&amp;page=2">More results</)
    assert.match((await ask('walrus')).text, /20 pages on page 1 of the results, and more\./)
    assert.match((await ask('walrus', '&page=2')).text, /5 pages on page 2 of the results\./)
    assert.deepEqual((await found('walrus', '&page=99999999')).hits.length, 20)
  })

  it('refuses a query that is too long', async () => {
    const long = await ask('a'.repeat(501)).set('Accept', 'application/json').expect(400)
    assert.match((long.body as { error: { message: string } }).error.message, /at most 500/)
    await ask('a'.repeat(501)).expect(400)
  })

  it('leaves its URL to a page, a file or a rule of the site', async () => {
    const id = await put('/_search', '<p>our own')
    assert.equal((await ask('open')).text, '<p>our own')
    await service.api().delete(`/pages/${id}`).expect(200)
    await service.api().put('/files?path=/_redirects').set('Content-Type', 'text/plain').send('/_search /other 302\n')
    assert.equal((await ask('open').redirects(0)).headers['location'], '/other?q=open')
    await service.api().delete('/files?path=/_redirects').expect(200)
    await ask('open').expect(200)
  })

  it('is missing on the hosts of versions and previews, and on a site that did not switch it on', async () => {
    await set({ publicHistory: true })
    const { body } = await service.api().get(`/sites/${service.site.id}/commits?limit=1`).expect(200)
    const [commit] = body.data as { id: string }[]
    await service.visit('/_search?q=open', `${commit?.id}--demo`).expect(404)
    const tried = await service.api().put('/pages?path=/other&dryRun=true').send({ html: '<p>tried' }).expect(200)
    const { host } = new URL((tried.body.data as { dryRun: { previewUrl: string } }).dryRun.previewUrl)
    await service.visit('/_search?q=open', host.split('.')[0] ?? '').expect(404)
    await service.server.service.services.provisioner.createSite(service.workspaceId, 'quiet')
    await service.visit('/_search?q=open', 'quiet').expect(404)
    await set({ publicHistory: false })
  })

  it('does not wait for a writer of the text if the text is of the newest commit', async () => {
    await set({ search: true })
    await ask('open').expect(200)
    const other = openSqlite(siteFileOf(service.dataDir, service.site.id, 'text').path, { synchronous: 'NORMAL' })
    other.exec('BEGIN IMMEDIATE')
    const { status } = await ask('nine')
    other.exec('ROLLBACK')
    other.close()
    assert.equal(status, 200)
  })

  it('waits a second for the index, then says when to ask again', async () => {
    await ask('open').expect(200)
    const other = openSqlite(siteFileOf(service.dataDir, service.site.id, 'text').path, { synchronous: 'NORMAL' })
    other.exec('BEGIN IMMEDIATE')
    await put('/late', '<p>latecomer')
    const busy = await ask('latecomer').set('Accept', 'application/json').expect(503)
    other.exec('ROLLBACK')
    other.close()
    assert.equal(busy.headers['retry-after'], '1')
    assert.equal(busy.headers['cache-control'], 'no-store')
    await within(PATIENCE_MS, async () => void (await ask('latecomer').expect(200)))
    assert.deepEqual(await urls('latecomer'), ['/late'])
  })
})

describe('searches of a hosted site', () => {
  let service: TestService
  before(async () => {
    const env = {
      MAX_SEARCHES_PER_ADDRESS: '2',
      TRUSTED_PROXIES: '127.0.0.1',
    }
    service = await startOwnService({ env })
    const { key } = await service.mint({ scopes: ['admin'] })
    await service.api(key).patch(`/sites/${service.site.id}`).send({ search: true }).expect(200)
    await service.api().put('/pages?path=/found').send({ html: '<p>walrus' }).expect(201)
    // Each search of a visitor counts, also one that comes before a busy service has the text.
    await within(PATIENCE_MS, async () => void (await service.api().get('/search?q=walrus').expect(200)))
  })
  after(() => service.stop())

  it('are limited by address, and by site to ten times as many; the bare form is not', async () => {
    const ask = (from: string, q = 'walrus') =>
      service.visit(`/_search?q=${q}`).set('X-Forwarded-For', from).set('Accept', 'application/json')
    const { body } = await ask('192.0.2.1').expect(200)
    assert.deepEqual(
      (body as Found).hits.map(({ url }) => url),
      ['/found'],
    )
    await ask('192.0.2.1').expect(200)
    const refused = await ask('192.0.2.1').expect(429)
    assert.match(refused.headers['retry-after'] ?? '', /^[1-9]\d?$/)
    await ask('192.0.2.1', '').expect(200)
    for (let others = 0; others < 9; others++)
      for (let again = 0; again < 2; again++) await ask(`198.51.100.${others}`).expect(200)
    await ask('192.0.2.2').expect(429)
  })
})
