import assert from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import * as fc from 'fast-check'
import { resolve } from '../../../src/repository/resolution/resolution.js'
import { foldCase, type PagePath, parsePagePath, treePathOf, urlPathOf } from '../../../src/model/paths/page-path.js'
import type { Snapshot } from '../../../src/repository/reading/snapshot.js'
import { anyPath, likelyPath } from '../../model/paths/arbitrary-path.js'
import { Hosting } from '../../protocols/host/hosting.js'
import { createSnapshots, ORIGIN } from '../../protocols/host/trees.js'

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
  'case/Twin.txt',
  'case/twin.txt',
  'img/cafe\u0301/\u00fc.svg',
  'img/caf\u00e9.png',
  'both/\u00e9.txt',
  'both/e\u0301.txt',
  'both/\u00fc/a.txt',
  'both/u\u0308/b.txt',
  'nfd/u\u0308.html',
  'nfd/o\u0308/index.html',
  'tags/c#/index.html',
  'tags/c#/new.html',
  'tags/d#.html',
  'tags/d#',
  '50%.html',
  'x.html.html',
  'app/[slug]/a|b^c.js',
  '[page].html',
  '.well-known/security.txt',
]

/** `200 file`, `200 file <canonical>`, `308 /location`, `404 file`. What others document is in ../scenarios/documented. */
const ROWS: [target: string, answer: string][] = [
  ['/', '200 index.html'],
  ['/about', '200 about.html'],
  ['/guide/', '200 guide/index.html'],
  ['/about.html', '200 about.html </about>'],
  ['/guide/index.html', '200 guide/index.html </guide/>'],
  ['/index.html', '200 index.html </>'],
  ['/docs.html', '200 docs.html </docs>'],
  ['/about/', '308 /about'],
  ['/guide', '308 /guide/'],
  ['/guide/index', '308 /guide/'],
  ['/index', '308 /'],
  ['/guide.html', '308 /guide/'],
  ['/about/index.html', '308 /about'],
  ['/about/index', '308 /about'],
  ['/about.html/', '308 /about'],
  ['/docs', '200 docs.html'],
  ['/docs/', '200 docs/index.html'],
  ['/about/?q=1&r', '308 /about?q=1&r'],
  ['/about/?\u00c3\u00a9="<', '308 /about?%C3%A9=%22%3C'],
  ['//about', '308 /about'],
  ['/docs///intro', '308 /docs/intro'],
  ['//guide', '308 /guide/'],
  ['//docs//intro.html', '308 /docs/intro'],
  ['/%61bout?a/../b', '308 /about?a/../b'],
  ['/%61bout.html', '308 /about'],
  ['/caf%c3%a9/a%20b', '308 /caf%C3%A9/a%20b'],
  ['/cafe%CC%81/a%20b', '308 /caf%C3%A9/a%20b'],
  ['/caf%C3%A9/a%20b', '200 café/a b.html'],
  ['/caf%C3%A9/a%20b.html', '200 café/a b.html </caf%C3%A9/a%20b>'],
  ['/a.html/b', '200 a%2Ehtml/b.html'],
  ['/a%2Ehtml/b.html/', '308 /a.html/b'],
  ['/style%2Ecss', '308 /style.css'],
  ['/style.css', '200 style.css'],
  ['/a%3Fb%23c.txt', '200 a?b#c.txt'],
  ['/a%3fb%23c.txt', '308 /a%3Fb%23c.txt'],
  ['/cafe%CC%81.txt', '200 cafe\u0301.txt'],
  ['/exact', '200 exact'],
  ['/exact.html', '200 exact.html'],
  ['/exact/', '308 /exact'],
  ['/Case', '200 Case.html'],
  ['/case', '404 404.html'],
  ['/ABOUT', '404 404.html'],
  ['/.well-known/security.txt', '200 .well-known/security.txt'],
  ['/case/Twin.txt', '200 case/Twin.txt'],
  ['/case/twin.txt', '200 case/twin.txt'],
  ['/caf%C3%A9.txt', '308 /cafe%CC%81.txt'],
  ['/img/cafe%CC%81/u%CC%88.svg?v=1', '308 /img/cafe%CC%81/%C3%BC.svg?v=1'],
  ['/img/caf%C3%A9/%C3%BC.svg', '308 /img/cafe%CC%81/%C3%BC.svg'],
  ['/img/cafe%CC%81/%C3%BC.svg', '200 img/cafe\u0301/\u00fc.svg'],
  ['/img/cafe%CC%81.png', '308 /img/caf%C3%A9.png'],
  ['//img/cafe%CC%81.png', '308 /img/caf%C3%A9.png'],
  ['/both/%C3%A9.txt', '200 both/\u00e9.txt'],
  ['/both/e%CC%81.txt', '200 both/e\u0301.txt'],
  ['/both/u%CC%88/a.txt', '308 /both/%C3%BC/a.txt'],
  ['/both/%C3%BC/b.txt', '308 /both/u%CC%88/b.txt'],
  ['/nfd/u%CC%88', '200 nfd/u\u0308.html'],
  ['/nfd/%C3%BC', '308 /nfd/u%CC%88'],
  ['/nfd/%C3%BC.html', '308 /nfd/u%CC%88'],
  ['/nfd/%C3%BC/', '308 /nfd/u%CC%88'],
  ['/nfd/u%CC%88.html', '200 nfd/u\u0308.html </nfd/u%CC%88>'],
  ['/nfd/o%CC%88/', '200 nfd/o\u0308/index.html'],
  ['/nfd/%C3%B6', '308 /nfd/o%CC%88/'],
  ['/tags/c%23/', '200 tags/c#/index.html'],
  ['/tags/c%23', '308 /tags/c%23/'],
  ['/tags/c%23/index', '308 /tags/c%23/'],
  ['/tags/c%23/index.html', '200 tags/c#/index.html </tags/c%23/>'],
  ['/tags/c%23/new', '200 tags/c#/new.html'],
  ['/tags/c%23/new/', '308 /tags/c%23/new'],
  ['/tags/d%23', '200 tags/d#'],
  ['/tags/d%23.html', '200 tags/d#.html'],
  ['/50%25', '200 50%.html'],
  ['/50%25.html', '200 50%.html </50%25>'],
  ['/x.html', '200 x.html.html'],
  ['/style.css/', '404 404.html'],
  ['/none', '404 404.html'],
  ['/docs/none', '404 docs/404.html'],
  ['/docs/api/none/of/it', '404 docs/404.html'],
  ['/docs/none/', '404 docs/404.html'],
  ['/deep/er/none', '404 404.html'],
  ['/none/none', '404 404.html'],
  ['/docs/%2F', '404 docs/404.html'],
  ['/docs/a%5Cb/%E9', '404 docs/404.html'],
  ['/docs/what%3F', '404 docs/404.html'],
  ['/docs/100%', '404 docs/404.html'],
  ['/docs/%00/x', '404 docs/404.html'],
  ['/docs/api/x.html.html', '404 docs/404.html'],
  ['/docs%2Fapi/none', '404 404.html'],
  ['/%E9/docs/none', '404 404.html'],
  // Browsers leave these characters as they are.
  ['/app/%5Bslug%5D/a%7Cb%5Ec.js', '200 app/[slug]/a|b^c.js'],
  ['/app/[slug]/a|b^c.js', '200 app/[slug]/a|b^c.js </app/%5Bslug%5D/a%7Cb%5Ec.js>'],
  ['/app/[slug%5D/a|b%5Ec.js', '200 app/[slug]/a|b^c.js </app/%5Bslug%5D/a%7Cb%5Ec.js>'],
  ['/app/%5bslug%5d/a%7Cb%5Ec.js', '308 /app/%5Bslug%5D/a%7Cb%5Ec.js'],
  ['/[page]', '200 [page].html </%5Bpage%5D>'],
  ['/[page].html', '200 [page].html </%5Bpage%5D>'],
  ['/[page]/', '308 /%5Bpage%5D'],
  ['/404', '200 404.html'],
  ['/docs/../about', '404 404.html'],
]

const known = FILES.map((name) => `/${encodeURI(name)}`.replace(/(?:index)?\.html$/, ''))
const piece = fc.constantFrom(
  '/',
  '//',
  '.html',
  'index',
  'index.html',
  '%61',
  '%2e',
  '%',
  '..',
  '?',
  '?q=%61',
  '\u00e9',
)
/** A known URL with pieces put into it. */
const spelling = fc
  .tuple(fc.constantFrom(...known), fc.array(piece, { maxLength: 2 }), fc.nat(30))
  .map(([url, pieces, at]) => `${url.slice(0, at)}${pieces[0] ?? ''}${url.slice(at)}${pieces[1] ?? ''}`)
  .filter((text) => text.startsWith('/'))

describe('the URLs of a site', () => {
  const hosting = new Hosting()
  let snapshot: Snapshot

  before(async () => {
    const tree = Object.fromEntries(FILES.map((name) => [name, name]))
    ;[snapshot] = (await createSnapshots(hosting, 'urls', [tree])) as [Snapshot]
  })
  after(() => hosting.stop())

  for (const [target, answer] of ROWS) {
    it(`${target} is ${answer}`, () => assert.equal(show(snapshot, target), answer))
  }

  it('are at most one redirect away from any other spelling, with the same query', () => {
    const kinds = new Set<string>()
    const property = fc.property(
      fc.oneof(
        spelling,
        anyPath.map((text) => `/${text}`),
      ),
      (text) => {
        const found = resolve({ snapshot, origin: ORIGIN }, text)
        kinds.add(found.kind)
        if (found.kind !== 'redirect') return
        assert.equal(found.location.includes('?'), /\?./s.test(text), text)
        assert.match(show(snapshot, found.location), /^200 /, `${text} to ${found.location}`)
      },
    )
    fc.assert(property, { numRuns: 1000 })
    assert.deepEqual(kinds, new Set(['file', 'redirect']))
  })

  it('answer 410 if the view says so, and so does the not-found page', () => {
    const isGone = (treePath: string) => ['about.html', '404.html'].includes(treePath)
    assert.deepEqual(resolve({ snapshot, origin: ORIGIN, isGone }, '/about'), { kind: 'gone', fields: {} })
    assert.deepEqual(resolve({ snapshot, origin: ORIGIN, isGone }, '/none'), { kind: 'missing', fields: {} })
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
    snapshot = hosting.store.reader.snapshot(site)
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

  it('have one canonical URL: any other spelling names it in a Link or redirects to it', () => {
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
  const found = resolve({ snapshot, origin: ORIGIN }, target)
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
