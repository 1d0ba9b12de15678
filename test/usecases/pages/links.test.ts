import assert from 'node:assert/strict'
import { startOwnService, type TestService } from '../../support/service.js'
import { PATIENCE_MS, within } from '../../support/within.js'

interface Backlink {
  path: string
  line: number
  title: string | null
}

interface Warning {
  code: string
  path: string | null
  message: string
}

describe('links between pages', () => {
  let service: TestService
  before(async () => {
    service = await startOwnService({ change: (config) => ({ ...config, maxSearchedCharacters: 20_000 }) })
  })
  after(() => service.stop())

  const put = async (path: string, html: string) => {
    const { body } = await service
      .api()
      .put(`/pages?path=${encodeURIComponent(path)}`)
      .send({ html })
    return (body.data as { id: string }).id
  }
  const backlinks = async (id: string, more = '') =>
    (await service.api().get(`/pages/${id}/backlinks${more}`).expect(200)).body as {
      data: Backlink[]
      paging: { nextCursor: string | null }
    }
  const warningsOf = ({ body }: { body: unknown }) =>
    (body as { data: { dryRun: { warnings: Warning[] } } }).data.dryRun.warnings

  it('name every page that links to a page by any of its URLs, once, with the first such line', async () => {
    const id = await put('/docs/', '<title>Docs</title><a href="/docs/">itself</a>')
    await put('/a', '<title>A</title>\n<a href="/docs/index.html#x">one</a>\n<a href="docs/">two</a>')
    await put('/b/c', '<p>\n\n<a href="../docs">one</a>')
    await put('/elsewhere', '<a href="https://example.org/docs/">no</a> <a href="/docs/more">no</a> /docs/')
    const { data } = await backlinks(id)
    assert.deepEqual(
      data.map(({ path, line, title }) => [path, line, title]),
      [
        ['/a', 2, 'A'],
        ['/b/c', 3, null],
      ],
    )
    const first = await backlinks(id, '?limit=1')
    assert.deepEqual([first.data[0]?.path, first.data.length], ['/a', 1])
    const rest = await backlinks(id, `?cursor=${first.paging.nextCursor}`)
    assert.deepEqual([rest.data[0]?.path, rest.paging.nextCursor], ['/b/c', null])
  })

  it('follow replacements, unpublishing and roll-backs of the pages that have them', async () => {
    const id = await put('/caf é', '<p>target')
    const from = await put('/from', '<a href="/caf%20%C3%A9.html">x</a>')
    const paths = async () => (await backlinks(id)).data.map(({ path }) => path)
    assert.deepEqual(await paths(), ['/from'])
    await put('/from', '<p>no more')
    assert.deepEqual(await paths(), [])
    await service.api().post(`/pages/${from}/rollback`).send({ version: 1 }).expect(200)
    assert.deepEqual(await paths(), ['/from'])
    await service.api().delete(`/pages/${from}`).expect(200)
    assert.deepEqual(await paths(), [])
    await service.api().delete(`/pages/${id}`).expect(200)
    await service.api().get(`/pages/${id}/backlinks`).expect(200)
  })

  it('are all counted if a dry run would break them: links to a page, to a file and to rules', async () => {
    const id = await put('/hub', '<a href="/hub">itself</a>')
    await service.api().put('/files?path=/img/logo.png').set('Content-Type', 'image/png').send(Buffer.from('png'))
    await service.api().put('/files?path=/_redirects').set('Content-Type', 'text/plain').send('/old/* /hub 301\n')
    const html = '<a href="/hub"></a><img src="/img/logo.png"><a href="/old/x"></a>'
    const operations = Array.from({ length: 60 }, (_, i) => ({ op: 'putPage', path: `/many/${i}`, html }))
    await service.api().post('/batch').send({ operations }).expect(200)
    // A dry run waits for the index of links for a while only.
    await within(PATIENCE_MS, () => service.api().get(`/pages/${id}/backlinks`).expect(200))
    const dry = [
      await service.api().delete(`/pages/${id}?dryRun=true`).expect(200),
      await service.api().delete('/files?path=/img/logo.png&dryRun=true').expect(200),
      await service.api().delete('/files?path=/_redirects&dryRun=true').expect(200),
    ]
    for (const [at, target] of ['/hub', '/img/logo.png', '/old/x'].entries()) {
      const warnings = warningsOf(dry[at] ?? { body: {} })
      assert.deepEqual(
        [...new Set(warnings.slice(0, 50).map(({ message }) => message))],
        [`The link to ${target} would lead nowhere.`],
      )
      assert.deepEqual(
        warnings.slice(50).map(({ path, message }) => [path, message]),
        [[null, '10 more links of other pages would lead nowhere.']],
      )
    }
  })

  it('follow the base of a page, and are those that a browser loads', async () => {
    const api = service.api()
    const id = await put('/based/target', '<p>target')
    await put('/based/from/a', '<base href="/based/"><a href="target">x</a>')
    assert.deepEqual(
      (await backlinks(id)).data.map(({ path }) => path),
      ['/based/from/a'],
    )
    const dry = (path: string, html: string) =>
      api.put(`/pages?path=${path}&dryRun=true`).send({ html }).expect(200).then(warningsOf)
    assert.deepEqual(await dry('/x/y', '<title>x</title><base href="/based/"><a href="target">x</a>'), [])
    const broken = await dry(
      '/x/y',
      '<title>x</title><img srcset="/no1.png 1x, /no2.png 2x"><video poster="/no3"><p style="mask: url(no4)">',
    )
    assert.deepEqual(
      broken.map(({ message }) => message.split(' ')[3]),
      ['/no1.png', '/no2.png', '/no3', '/x/no4'],
    )
    await api.put('/files?path=/set.png').type('image/png').send(Buffer.from('png'))
    await put('/based/set', '<img srcset="/set.png 2x">')
    await within(PATIENCE_MS, () => backlinks(id))
    const [used] = warningsOf(await api.delete('/files?path=/set.png&dryRun=true').expect(200))
    assert.deepEqual([used?.path, used?.code], ['/based/set', 'broken_link'])
  })

  it('are those of style sheets and drawings too, in dry runs and checks', async () => {
    const api = service.api()
    const file = (path: string, text: string, more = '') =>
      api.put(`/files?path=${path}${more}`).type('application/octet-stream').send(Buffer.from(text))
    await file('/css/font.woff2', 'font')
    await file('/css/site.css', '@font-face { src: url(font.woff2) } a { background: url("data:,x") }')
    await file('/art/a.svg', '<svg><image href="../css/font.woff2"/><use href="#x"/></svg>')
    const removal = warningsOf(await api.delete('/files?path=/css/font.woff2&dryRun=true').expect(200))
    assert.deepEqual(
      removal.map(({ path, message }) => `${path}: ${message}`),
      ['/art/a.svg', '/css/site.css'].map((path) => `${path}: The link to /css/font.woff2 would lead nowhere.`),
    )
    const change = warningsOf(await file('/css/site.css', '@import "no.css";', '&dryRun=true').expect(200))
    assert.deepEqual(
      change.map(({ path, message }) => `${path}: ${message}`),
      ['/css/site.css: The link to /css/no.css would lead nowhere.'],
    )
    await api.delete('/files?path=/css/font.woff2').expect(200)
    const { body } = await api.get(`/sites/${service.site.id}/checks`).expect(200)
    const { findings } = body.data as { findings: { code: string; path: string }[] }
    assert.deepEqual(
      findings.filter(({ code, path }) => code === 'broken_link' && !path.endsWith('.html')).map(({ path }) => path),
      ['art/a.svg', 'css/site.css'],
    )
  })

  it('are checked by their targets, and pages too large for the search are named', async () => {
    await put('/broken', '<p>\n<a href="/nowhere">x</a> <a href="./nowhere#y">x</a>')
    await put('/large', `<p>${'platypus '.repeat(4_000)}<a href="/nowhere">x</a>`)
    const { body } = await service.api().get(`/sites/${service.site.id}/checks`).expect(200)
    const { findings, complete } = body.data as {
      findings: { code: string; path: string; target?: string; count?: number; pages?: Backlink[] }[]
      complete: boolean
    }
    assert.equal(complete, true)
    const broken = findings.find(({ target }) => target === '/nowhere')
    assert.deepEqual(
      [broken?.count, broken?.path, broken?.pages?.map(({ path, line }) => [path, line])],
      [
        2,
        'broken.html',
        [
          ['/broken', 2],
          ['/large', 1],
        ],
      ],
    )
    const leftOut = findings.filter(({ code }) => code === 'not_searched')
    assert.deepEqual(
      leftOut.map(({ path }) => path),
      ['large.html'],
    )
    const search = async () =>
      ((await service.api().get('/search?q=platypus').expect(200)).body.data as unknown[]).length
    assert.equal(await search(), 0)
    await put('/large', '<p>platypus')
    assert.equal(await search(), 1)
  })
})
