// Sitemaps of sites with many pages: they have bounds of bytes, of pages, and of the folders that are gone through.

import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { listPages } from '../../../src/protocols/host/sitemap/list-pages.js'
import { openPackedFile, Packer } from '../../../src/protocols/host/sitemap/packed-file.js'
import { renderSitemap } from '../../../src/protocols/host/sitemap/render-sitemap.js'
import type { PagePath } from '../../../src/model/paths/page-path.js'
import { Hosting } from '../../protocols/host/hosting.js'
import { until } from '../../support/within.js'

const ORIGIN = 'https://demo.example.org'
const asItIs = (xml: Buffer) => xml
const MAX_PAGES = { count: 100_000, characters: 1_000_000 }

describe('the sitemap of a site with long paths', () => {
  it('is not made if the maps would have more than 64 MiB together, and the list of pages stops early', () => {
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

describe('the cached files of a site with many pages', () => {
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

describe('the sitemap of a tree with more pages than can be listed in time', () => {
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

  it('is empty if the tree has no page, without walking its folders', async () => {
    const site = await hosting.createSite('fruitless', {})
    const { objects } = hosting.store.repositories.open(site)
    assert.deepEqual([...(listPages(objects, makeTree('fruitless', 9, '.txt'), MAX_PAGES) ?? ['too many'])], [])
  })

  it('is missing if the paths are long, and a visitor does not wait for ever', async () => {
    await hosting.start()
    await hosting.createSite('long', { 'index.html': 'home' })
    const tree = makeTree('long', 3, '.html', 16, `d${' '.repeat(180)}`)
    const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
    const commit = hosting.git('long', [...author, 'commit-tree', tree, '-p', 'main', '-m', 'Long paths'])
    hosting.git('long', ['update-ref', 'refs/heads/main', commit])
    hosting.commitUnindexed('long', {})
    // A busy machine may give the list no processor time: then the visitor asks again.
    const { status } = await until(
      () => hosting.ask('long', '/sitemap.xml'),
      (answer) => answer.status !== 503,
    )
    assert.equal(status, 404)
    assert.equal((await hosting.ask('long', '/robots.txt')).status, 200)
  })
})
