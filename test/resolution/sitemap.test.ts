import assert from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { buffer } from 'node:stream/consumers'
import { resolve } from '../../src/resolution/resolution.js'
import { listPages } from '../../src/host/sitemap/list-pages.js'
import { openPackedFile, Packer } from '../../src/host/sitemap/packed-file.js'
import { renderSitemap } from '../../src/host/sitemap/render-sitemap.js'
import type { PagePath } from '../../src/model/paths/page-path.js'
import type { Snapshot } from '../../src/store/reading/snapshot.js'
import { startOwnService, type TestService } from '../support/service.js'
import { put } from '../scenarios/client.js'
import { Hosting } from '../host/hosting.js'

const ORIGIN = 'https://demo.example.org'
const asItIs = (xml: Buffer) => xml
const MAX_PAGES = { count: 100_000, characters: 1_000_000 }

describe('the sitemap of a site', () => {
  const hosting = new Hosting()
  const slugs = new Map<string, string>()
  after(() => hosting.stop())

  async function createSite(slug: string, files: Record<string, string>): Promise<Snapshot> {
    const site = await hosting.createSite(slug, files)
    slugs.set(site.id, slug)
    return hosting.store.snapshot(site)
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
    return { files: () => bodies }
  }

  const slugOf = ({ siteId }: Snapshot) => slugs.get(siteId) ?? ''

  async function read(snapshot: Snapshot, path: string, sitemap = mapOf(snapshot)): Promise<string> {
    const found = resolve({ snapshot, origin: ORIGIN, sitemap }, path)
    assert.ok(found.kind === 'generated' || found.kind === 'file', found.kind)
    return (found.kind === 'generated' ? await found.read() : snapshot.blob(found.file.oid)).toString()
  }

  it('lists every page at its canonical URL, with the time of its last change where that is known', async () => {
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

  it("is the site's own file where there is one, and so is robots.txt", async () => {
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
    const snapshot = hosting.store.snapshot(site)
    const sitemap = mapOf(snapshot)
    const index = await read(snapshot, '/sitemap.xml', sitemap)
    assert.deepEqual(index.match(/<loc>.*?<\/loc>/g), [
      `<loc>${ORIGIN}/sitemap-1.xml</loc>`,
      `<loc>${ORIGIN}/sitemap-2.xml</loc>`,
    ])
    const maps = ['/sitemap-1.xml', '/sitemap-2.xml'].map((path) => read(snapshot, path, sitemap))
    const counts = (await Promise.all(maps)).map((xml) => xml.match(/<loc>/g)?.length)
    assert.deepEqual(counts, [50_000, 1])
    assert.equal(resolve({ snapshot, origin: ORIGIN, sitemap }, '/sitemap-3.xml').kind, 'missing')
  })
})

describe('the sitemap of a site with long paths', () => {
  it('is not made where the maps would have more than 64 MiB together, and no more pages are listed then', () => {
    let listed = 0
    function* pages(count: number) {
      const folder = '/ '.repeat(400)
      for (let at = 0; at < count; at++, listed++) yield { path: `${folder}/${at}` as PagePath, time: undefined }
    }
    const fits = renderSitemap(ORIGIN, pages(35_000), asItIs)
    const sizes = Array.from(fits ?? [], ([, { length }]) => length)
    assert.equal(sizes.length, 1 + 7)
    assert.ok(Math.max(...sizes) <= 8 * 1024 * 1024, sizes.join(' '))
    listed = 0
    assert.equal(renderSitemap(ORIGIN, pages(400_000), asItIs), undefined)
    assert.ok(listed < 50_000, `${listed}`)
  })
})

describe('the files of a site with many pages, as they are cached', () => {
  it('are deflated past four mebibytes, and read as they were, whole and in pieces', async () => {
    const packer = new Packer()
    const files = ['short ', 'long ', 'longer '].map((word) => Buffer.alloc(3 * 1024 * 1024, word))
    const packed = files.map((file) => packer.pack(file))
    assert.deepEqual(
      packed.map(({ isDeflated }) => isDeflated),
      [false, true, true],
    )
    assert.ok(packer.bytes < 4 * 1024 * 1024, `${packer.bytes}`)
    for (const [at, file] of files.entries()) {
      const opened = openPackedFile(packed[at]!)
      assert.equal(opened.size, file.length)
      assert.ok((await opened.read()).equals(file))
      assert.ok((await buffer(opened.pieces())).equals(file))
    }
  })
})

describe('the sitemap of a tree that stands for more pages than there is time', () => {
  const hosting = new Hosting()
  after(() => hosting.stop())

  /** A tree of so many levels of equal folders, with as many files in each of the last. */
  function makeTree(slug: string, levels: number, file: string, width = 10, folder = 'd'): string {
    const blob = hosting.git(slug, ['hash-object', '-w', '--stdin'], 'x')
    const tree = (entry: string, name: (at: number) => string) =>
      hosting.git(slug, ['mktree'], Array.from({ length: width }, (_, at) => `${entry}\t${name(at)}\n`).join(''))
    let oid = tree(`100644 blob ${blob}`, (at) => `${at}${file}`)
    for (let level = 0; level < levels; level++) oid = tree(`040000 tree ${oid}`, (at) => `${folder}${at}`)
    return oid
  }

  it('is not made: its pages are counted and not listed', async () => {
    const site = await hosting.createSite('endless', {})
    const { objects } = hosting.store.repositories.open(site)
    assert.equal(listPages(objects, makeTree('endless', 9, '.html'), MAX_PAGES), undefined)
    const long = makeTree('endless', 3, '.html', 10, 'd'.repeat(100))
    assert.equal(listPages(objects, long, MAX_PAGES), undefined)
    const listed = new Set<string>(listPages(objects, makeTree('endless', 3, '.html'), MAX_PAGES))
    assert.equal(listed.size, 10_000)
    assert.ok(listed.has('/d0/d0/d0/0') && listed.has('/d9/d9/d9/9'))
  })

  it('is empty where they hold no page, and no folder is gone through for that', async () => {
    const site = await hosting.createSite('fruitless', {})
    const { objects } = hosting.store.repositories.open(site)
    assert.deepEqual([...(listPages(objects, makeTree('fruitless', 9, '.txt'), MAX_PAGES) ?? ['too many'])], [])
  })

  it('is missing where their paths are long, and a visitor does not wait for it without end', async () => {
    await hosting.start()
    await hosting.createSite('long', { 'index.html': 'home' })
    const tree = makeTree('long', 3, '.html', 16, `d${' '.repeat(180)}`)
    const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
    const commit = hosting.git('long', [...author, 'commit-tree', tree, '-p', 'main', '-m', 'Long paths'])
    hosting.git('long', ['update-ref', 'refs/heads/main', commit])
    hosting.commitUnindexed('long', {})
    assert.equal((await hosting.ask('long', '/sitemap.xml')).status, 404)
    assert.equal((await hosting.ask('long', '/robots.txt')).status, 200)
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
})
