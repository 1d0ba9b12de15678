import assert from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { resolve } from '../../../src/repository/resolution/resolution.js'
import { generateFile } from '../../../src/protocols/host/sitemap/generated-file.js'
import { listPages } from '../../../src/protocols/host/sitemap/list-pages.js'
import { openPackedFile, Packer } from '../../../src/protocols/host/sitemap/packed-file.js'
import { renderSitemap } from '../../../src/protocols/host/sitemap/render-sitemap.js'
import type { Snapshot } from '../../../src/repository/reading/snapshot.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { put } from '../../scenarios/client.js'
import { Hosting } from '../../protocols/host/hosting.js'

const ORIGIN = 'https://demo.example.org'
const MAX_PAGES = { count: 100_000, characters: 1_000_000 }

describe('the sitemap of a site', () => {
  const hosting = new Hosting()
  const slugs = new Map<string, string>()
  after(() => hosting.stop())

  async function createSite(slug: string, files: Record<string, string>): Promise<Snapshot> {
    const site = await hosting.createSite(slug, files)
    slugs.set(site.id, slug)
    return hosting.store.reader.snapshot(site)
  }

  /** `changes` in seconds, by path. */
  function mapOf(snapshot: Snapshot, changes: Record<string, number> = {}) {
    const objects = hosting.store.repositories.open({ id: snapshot.siteId, slug: slugOf(snapshot) }).objects
    const pages = listPages(objects, snapshot.tree, MAX_PAGES)
    const times = new Map(Object.entries(changes))
    const timed = Array.from(pages ?? [], (path) => ({ path, time: times.get(path) }))
    const packer = new Packer()
    const files = pages && renderSitemap(ORIGIN, timed, (xml) => packer.pack(xml))
    const bodies = new Map(Array.from(files ?? [], ([name, file]) => [name, openPackedFile(file)]))
    return { files: async () => bodies }
  }

  const slugOf = ({ siteId }: Snapshot) => slugs.get(siteId) ?? ''

  async function read(snapshot: Snapshot, path: string, sitemap = mapOf(snapshot)): Promise<string> {
    const found = resolve({ snapshot, origin: ORIGIN, generates: () => true }, path)
    if (found.kind === 'file') return snapshot.blob(found.file.oid).toString()
    assert.equal(found.kind, 'generated')
    return String(await (await generateFile({ origin: ORIGIN, sitemap }, path.slice(1)))?.read())
  }

  it('lists every page at its canonical URL, with the time of its last change if that is known', async () => {
    const names = [
      'index',
      'about',
      'docs/index',
      'café & co',
      '404',
      'docs/404',
      'exact',
      'collections/shop',
      '.hidden',
    ]
    const files = Object.fromEntries(names.map((name) => [`${name}.html`, name]))
    const snapshot = await createSite('pages', {
      ...files,
      exact: 'a file',
      'style.css': 'x',
      '.templates/a.html': 'x',
    })
    const xml = await read(snapshot, '/sitemap.xml', mapOf(snapshot, { '/about': 1_700_000_000 }))
    assert.match(
      xml,
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<urlset xmlns="http:\/\/www.sitemaps.org\/schemas\/sitemap\/0.9">\n/,
    )
    const urls = new Set([...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url))
    const expected = [
      `${ORIGIN}/`,
      `${ORIGIN}/about`,
      `${ORIGIN}/caf%C3%A9%20&amp;%20co`,
      `${ORIGIN}/collections/shop`,
      `${ORIGIN}/docs/`,
    ]
    assert.deepEqual(urls, new Set(expected))
    assert.deepEqual(xml.match(/<lastmod>.*?<\/lastmod>/g), ['<lastmod>2023-11-14T22:13:20Z</lastmod>'])
    assert.match(xml, /about<\/loc><lastmod>/)
  })

  it('is named by robots.txt', async () => {
    const snapshot = await createSite('robots', { 'index.html': 'x' })
    assert.equal(await read(snapshot, '/robots.txt'), `User-agent: *\nAllow: /\n\nSitemap: ${ORIGIN}/sitemap.xml\n`)
  })

  it("is the site's own file if there is one, and so is robots.txt", async () => {
    const snapshot = await createSite('own', { 'sitemap.xml': 'my map', 'robots.txt': 'my robots' })
    assert.deepEqual(
      [await read(snapshot, '/sitemap.xml'), await read(snapshot, '/robots.txt')],
      ['my map', 'my robots'],
    )
  })

  it('is missing on hosts other than the site itself', async () => {
    const snapshot = await createSite('version', { 'index.html': 'x' })
    for (const path of ['/sitemap.xml', '/robots.txt'])
      assert.equal(resolve({ snapshot, origin: ORIGIN }, path).kind, 'missing')
  })

  it('is an index of several sitemaps with more than 50,000 pages', async () => {
    // One of them is a 404.html, which is in no map.
    const files = Object.fromEntries(Array.from({ length: 50_002 }, (_, at) => [`f${at % 50}/${at}.html`, 'x']))
    const site = await hosting.createSite('large', {})
    slugs.set(site.id, 'large')
    hosting.commitUnindexed('large', files)
    const snapshot = hosting.store.reader.snapshot(site)
    const sitemap = mapOf(snapshot)
    const index = await read(snapshot, '/sitemap.xml', sitemap)
    assert.deepEqual(index.match(/<loc>.*?<\/loc>/g), [
      `<loc>${ORIGIN}/sitemap-1.xml</loc>`,
      `<loc>${ORIGIN}/sitemap-2.xml</loc>`,
    ])
    const maps = ['/sitemap-1.xml', '/sitemap-2.xml'].map((path) => read(snapshot, path, sitemap))
    const counts = (await Promise.all(maps)).map((xml) => xml.match(/<loc>/g)?.length)
    assert.deepEqual(counts, [50_000, 1])
    assert.equal(await generateFile({ origin: ORIGIN, sitemap }, 'sitemap-3.xml'), undefined)
  })
})

describe('the sitemap of a service', () => {
  let service: TestService
  before(async () => {
    service = await startOwnService({ clock: () => new Date('2026-01-02T03:04:05Z') })
  })
  after(() => service.stop())

  it('lists a page once it is published, with the time of its last version, until it is unpublished', async () => {
    const long = `/${'long'.repeat(80)}`
    for (const path of ['/new', long]) await put(service.api(), path, 'x')
    const { text, headers } = await service.visit('/sitemap.xml')
    const loc = (path: string) =>
      `.localhost:${service.server.port}${path}</loc><lastmod>2026-01-02T03:04:05Z</lastmod>`
    assert.ok(text.includes(loc('/new')) && text.includes(loc(long)), text)
    assert.match(headers['content-type'] ?? '', /^application\/xml/)
    const { body } = await service.api().get('/pages?path=/new')
    await service.api().delete(`/pages/${body.data[0].id}`)
    assert.ok(!(await service.visit('/sitemap.xml')).text.includes('/new<'))
  })

  it('leaves out a page that is not to be indexed, until that is withdrawn', async () => {
    await put(service.api(), '/secret', '<meta name="robots" content="NOINDEX"><title>S</title>')
    assert.ok(!(await service.visit('/sitemap.xml')).text.includes('/secret<'))
    await put(service.api(), '/secret', '<meta name="robots" content="index"><title>S</title>')
    assert.ok((await service.visit('/sitemap.xml')).text.includes('/secret<'))
  })
})
