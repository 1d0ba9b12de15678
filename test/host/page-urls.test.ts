import assert from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import * as fc from 'fast-check'
import { resolve } from '../../src/host/resolution.js'
import { foldCase, type PagePath, parsePagePath, treePathOf, urlPathOf } from '../../src/model/page-path.js'
import type { Snapshot } from '../../src/store/snapshot.js'
import { anyPath, likelyPath } from '../model/arbitrary-path.js'
import { Hosting } from './hosting.js'
import { createSnapshots } from './trees.js'

const SERVING = 'https://developers.cloudflare.com/pages/configuration/serving-pages'
const HTML_HANDLING = 'https://developers.cloudflare.com/workers/static-assets/routing/advanced/html-handling'
const PRETTY = 'https://docs.netlify.com/manage/routing/redirects/redirect-options#trailing-slash'
const OURS = 'docs/hosting.md'

const FILES = [
  'index.html',
  'about.html',
  'docs.html',
  'docs/index.html',
  'docs/intro.html',
  'guide/index.html',
  '404.html',
  'docs/404.html',
  'docs/api/x.html',
  'café/a b.html',
  'a%2Ehtml/b.html',
  'deep/er/x.html',
  'exact',
  'exact.html',
  'style.css',
  'a?b#c.txt',
  'cafe\u0301.txt',
  'Case.html',
  '.well-known/security.txt',
]

/** `200 file`, `200 file <canonical>`, `308 /location`, `404 file`. */
const ROWS: [source: string, target: string, answer: string][] = [
  [SERVING, '/', '200 index.html'],
  [SERVING, '/about', '200 about.html'],
  [SERVING, '/guide/', '200 guide/index.html'],
  [OURS, '/about.html', '200 about.html </about>'],
  [OURS, '/guide/index.html', '200 guide/index.html </guide/>'],
  [OURS, '/index.html', '200 index.html </>'],
  [OURS, '/docs.html', '200 docs.html </docs>'],
  [HTML_HANDLING, '/about/', '308 /about'],
  [HTML_HANDLING, '/guide', '308 /guide/'],
  [HTML_HANDLING, '/guide/index', '308 /guide/'],
  [HTML_HANDLING, '/index', '308 /'],
  [HTML_HANDLING, '/guide.html', '308 /guide/'],
  [HTML_HANDLING, '/about/index.html', '308 /about'],
  [HTML_HANDLING, '/about/index', '308 /about'],
  [HTML_HANDLING, '/about.html/', '308 /about'],
  [PRETTY, '/docs', '200 docs.html'],
  [PRETTY, '/docs/', '200 docs/index.html'],
  [OURS, '/about/?q=1&r', '308 /about?q=1&r'],
  [OURS, '/about/?\u00c3\u00a9="<', '308 /about?%C3%A9=%22%3C'],
  [OURS, '//about', '308 /about'],
  [OURS, '/docs///intro', '308 /docs/intro'],
  [OURS, '//guide', '308 /guide/'],
  [OURS, '//docs//intro.html', '308 /docs/intro'],
  [HTML_HANDLING, '/%61bout?a/../b', '308 /about?a/../b'],
  [HTML_HANDLING, '/%61bout.html', '308 /about'],
  [HTML_HANDLING, '/caf%c3%a9/a%20b', '308 /caf%C3%A9/a%20b'],
  [OURS, '/cafe%CC%81/a%20b', '308 /caf%C3%A9/a%20b'],
  [OURS, '/caf%C3%A9/a%20b', '200 café/a b.html'],
  [OURS, '/caf%C3%A9/a%20b.html', '200 café/a b.html </caf%C3%A9/a%20b>'],
  [OURS, '/a.html/b', '200 a%2Ehtml/b.html'],
  [OURS, '/a%2Ehtml/b.html/', '308 /a.html/b'],
  [OURS, '/style%2Ecss', '308 /style.css'],
  [OURS, '/style.css', '200 style.css'],
  [OURS, '/a%3Fb%23c.txt', '200 a?b#c.txt'],
  [OURS, '/a%3fb%23c.txt', '308 /a%3Fb%23c.txt'],
  [OURS, '/cafe%CC%81.txt', '200 cafe\u0301.txt'],
  [OURS, '/exact', '200 exact'],
  [OURS, '/exact.html', '200 exact.html'],
  [OURS, '/exact/', '308 /exact'],
  [OURS, '/Case', '200 Case.html'],
  [OURS, '/case', '404 404.html'],
  [OURS, '/ABOUT', '404 404.html'],
  [OURS, '/.well-known/security.txt', '200 .well-known/security.txt'],
  [OURS, '/style.css/', '404 404.html'],
  [SERVING, '/none', '404 404.html'],
  [SERVING, '/docs/none', '404 docs/404.html'],
  [SERVING, '/docs/api/none/of/it', '404 docs/404.html'],
  [SERVING, '/docs/none/', '404 docs/404.html'],
  [SERVING, '/deep/er/none', '404 404.html'],
  [SERVING, '/none/none', '404 404.html'],
  [OURS, '/docs/%2F', '404 404.html'],
  [OURS, '/404', '200 404.html'],
  [OURS, '/docs/../about', '404 404.html'],
]

describe('the URLs of a site', () => {
  const hosting = new Hosting()
  let snapshot: Snapshot

  before(async () => {
    const tree = Object.fromEntries(FILES.map((name) => [name, name]))
    ;[snapshot] = (await createSnapshots(hosting, 'urls', [tree])) as [Snapshot]
  })
  after(() => hosting.stop())

  for (const [source, target, answer] of ROWS) {
    it(`${target} is ${answer} (${source})`, () => assert.equal(show(snapshot, target), answer))
  }

  it('are gone where the view says so, and then the page for what is lacking is too', () => {
    const isGone = (treePath: string) => ['about.html', '404.html'].includes(treePath)
    assert.deepEqual(resolve({ snapshot, isGone }, '/about'), { kind: 'gone' })
    assert.deepEqual(resolve({ snapshot, isGone }, '/none'), { kind: 'missing' })
  })
})

describe('pages of any path', () => {
  const hosting = new Hosting()
  const pages = new Map<string, PagePath>()
  let snapshot: Snapshot

  before(async () => {
    const longest = ['😀'.repeat(2048), `/${'x/'.repeat(1000)}x`]
    for (const text of [...longest, ...fc.sample(anyPath, 400), ...fc.sample(likelyPath, 200)]) {
      const path = accepted(text)
      if (path !== undefined) pages.set(foldCase(path), path)
    }
    const tree = Object.fromEntries([...pages.values()].map((path) => [treePathOf(path), path]))
    const site = await hosting.createSite('demo', tree)
    snapshot = hosting.store.snapshot(site)
    await hosting.start()
  })
  after(() => hosting.stop())

  it('are each served at their own URL', async () => {
    assert.ok(pages.size > 100, `only ${pages.size} pages`)
    for (const path of pages.values()) {
      const { status, body } = await hosting.ask('demo', urlPathOf(path))
      assert.deepEqual([status, body.toString()], [200, path])
    }
  })

  it('have no other URL: any other spelling says which it is, or leads there', () => {
    const urls = new Set([...pages.values()].map(urlPathOf))
    for (const path of pages.values()) {
      const url = urlPathOf(path)
      const literal = url.endsWith('/') ? `${url}index.html` : `${url}.html`
      assert.equal(show(snapshot, literal), `200 ${treePathOf(path)} <${url}>`)
      const escaped = url.replaceAll(/[a-z](?![0-9a-f]?[/%])/gi, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
      const others = [
        `/${url}`,
        `${literal}/`,
        url.endsWith('/') ? `${url}index` : `${url}/`,
        lowerEscapes(url),
        escaped,
      ]
      for (const other of others) {
        if (other === url || !decodes(other)) continue
        if (!urls.has(other)) assert.equal(show(snapshot, other), `308 ${url}`, other)
      }
    }
  })
})

function show(snapshot: Snapshot, target: string): string {
  const found = resolve({ snapshot }, target)
  if (found.kind === 'redirect') return `${found.status} ${found.location}`
  if (found.kind !== 'file') return found.kind
  const { link } = found.file.fields as { link?: string }
  const canonical = link === undefined ? '' : ` ${link.replace('; rel="canonical"', '')}`
  return `${found.file.status} ${found.file.treePath}${canonical}`
}

function lowerEscapes(url: string): string {
  return url.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())
}

function decodes(url: string): boolean {
  try {
    return decodeURIComponent(url) !== ''
  } catch {
    return false
  }
}

function accepted(text: string): PagePath | undefined {
  try {
    return parsePagePath(text)
  } catch {
    return undefined
  }
}
