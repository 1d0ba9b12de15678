import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'mocha'
import * as fc from 'fast-check'
import { ServiceError } from '../../../src/model/errors.js'
import {
  assetPathOf,
  foldCase,
  type PagePath,
  pagePathOf,
  pagePathOfUrl,
  parsePagePath,
  treePathOf,
  urlPathOf,
} from '../../../src/model/paths/page-path.js'
import { anyPath, likelyPath } from './arbitrary-path.js'
import { anyText } from '../../texts/any-text.js'

describe('a page path', () => {
  const accepted: [input: string, path: string, treePath: string, url: string][] = [
    ['/', '/', 'index.html', '/'],
    ['index.html', '/', 'index.html', '/'],
    ['/about', '/about', 'about.html', '/about'],
    ['about', '/about', 'about.html', '/about'],
    ['/about.html', '/about', 'about.html', '/about'],
    ['/docs/', '/docs/', 'docs/index.html', '/docs/'],
    ['/docs/index', '/docs/', 'docs/index.html', '/docs/'],
    ['/docs/index.html', '/docs/', 'docs/index.html', '/docs/'],
    ['/docs', '/docs', 'docs.html', '/docs'],
    ['/docs/index/', '/docs/index/', 'docs/index/index.html', '/docs/index/'],
    ['/404', '/404', '404.html', '/404'],
    ['/a%20b', '/a b', 'a b.html', '/a%20b'],
    ['/caf%C3%A9', '/café', 'café.html', '/caf%C3%A9'],
    ['/cafe\u0301', '/café', 'café.html', '/caf%C3%A9'],
    ['/100%25', '/100%25', '100%25.html', '/100%25'],
    ['/%252e%252e/x', '/%252e%252e/x', '%252e%252e/x.html', '/%252e%252e/x'],
    ['/a.html/b', '/a.html/b', 'a%2Ehtml/b.html', '/a.html/b'],
    ['/v1.2', '/v1.2', 'v1.2.html', '/v1.2'],
    ['/logo.png', '/logo.png', 'logo.png.html', '/logo.png'],
    ['/.git/config', '/.git/config', '%2Egit/config.html', '/.git/config'],
    ['/.well-known/x', '/.well-known/x', '%2Ewell-known/x.html', '/.well-known/x'],
    ['/.pages/00/x', '/.pages/00/x', '%2Epages/00/x.html', '/.pages/00/x'],
    ['/git~1/x', '/git~1/x', 'git%7E1/x.html', '/git~1/x'],
    ['/~ann', '/~ann', '~ann.html', '/~ann'],
    ['/.g\u200cit/x', '/.g\u200cit/x', '%2Eg%E2%80%8Cit/x.html', '/.g%E2%80%8Cit/x'],
    ['/می\u200cخواهم', '/می\u200cخواهم', 'می\u200cخواهم.html', '/%D9%85%DB%8C%E2%80%8C%D8%AE%D9%88%D8%A7%D9%87%D9%85'],
    ['/a:b', '/a:b', 'a%3Ab.html', '/a:b'],
    ['/con', '/con', '%63on.html', '/con'],
    ['/NUL.txt/x', '/NUL.txt/x', '%4EUL.txt/x.html', '/NUL.txt/x'],
    ['/console', '/console', 'console.html', '/console'],
    ['/ a /b.', '/ a /b.', '%20a%20/b%2E.html', '/%20a%20/b.'],
    ['/collections/foo', '/collections/foo', 'collections/foo.html', '/collections/foo'],
    ['/_redirects', '/_redirects', '_redirects.html', '/_redirects'],
  ]
  for (const [input, path, treePath, url] of accepted) {
    it(`${JSON.stringify(input)} is ${path}, the file ${treePath}, at ${url}`, () => {
      const parsed = parsePagePath(input)
      assert.equal(parsed, path)
      assert.equal(treePathOf(parsed), treePath)
      assert.equal(urlPathOf(parsed), url)
      assert.equal(pagePathOf(treePath), path)
      assert.equal(pagePathOfUrl(url), path)
    })
  }

  const refused: [input: string, reason: RegExp][] = [
    ['', /empty/],
    ['//', /empty segment/],
    ['/a//b', /empty segment/],
    ['/docs//', /empty segment/],
    ['/.', /segment "\."/],
    ['/a/../b', /segment "\.\."/],
    ['/%2e%2E/b', /segment "\.\."/],
    ['/..html', /names no page/],
    ['/a/...html', /names no page/],
    ['/.html', /names no page/],
    ['/docs/.html', /names no page/],
    ['/a.html.html', /twice/],
    ['/index.html.html', /twice/],
    ['/a%2fb', /%2F/],
    ['/a%5Cb', /backslash/],
    ['/a\\b', /backslash/],
    ['/a%3fb', /"\?"/],
    ['/a?b', /"\?"/],
    ['/a%23b', /"#"/],
    ['/a#b', /"#"/],
    ['/a\0', /control/],
    ['/a%0A', /control/],
    ['/a\u007f', /control/],
    ['/a%C2%85', /control/],
    ['/100%', /%25/],
    ['/%zz', /%25/],
    ['/%E9', /%25/],
    ['/%C0%AE%C0%AE/x', /%25/],
    ['/%ED%A0%80', /%25/],
    ['/\ud800', /surrogate/],
    ['/a\udc00b', /surrogate/],
  ]
  for (const [input, reason] of refused) {
    it(`${JSON.stringify(input)} is refused: ${reason.source}`, () => {
      assert.throws(() => parsePagePath(input), { name: 'ServiceError', code: 'invalid_path', message: reason })
      assert.equal(pagePathOfUrl(input), undefined)
    })
  }

  it('has at most 2,048 code points, not counting the slash that the service adds', () => {
    assert.equal(parsePagePath('😀'.repeat(2048)), `/${'😀'.repeat(2048)}`)
    assert.equal(parsePagePath(`/${'x'.repeat(2048)}`).length, 2049)
    assert.throws(() => parsePagePath('x'.repeat(2049)), /has 2049 characters: give at most 2048/)
    assert.throws(() => parsePagePath('\u0958'.repeat(2048)), /has 4096 characters/, 'its NFC is longer')
  })

  it('is stored under its hash if its stored form is too long for a file system', () => {
    const hashed = (path: string) => `.long/${createHash('sha256').update(path).digest('hex')}.html`
    const longest = `/${'x'.repeat(250)}`
    assert.equal(treePathOf(parsePagePath(longest)), `${'x'.repeat(250)}.html`)
    assert.equal(treePathOf(parsePagePath(`${longest}x`)), hashed(`${longest}x`))
    const folder = `/${'é'.repeat(128)}/x`
    assert.equal(treePathOf(parsePagePath(folder)), hashed(folder))
    const deep = `/${'x/'.repeat(509)}x`
    assert.equal(treePathOf(parsePagePath(deep)).length, 1024)
    assert.equal(treePathOf(parsePagePath(`${deep}x`)), hashed(`${deep}x`))
    assert.equal(pagePathOf(hashed(folder)), undefined, 'its name does not say')
  })
})

describe('a file of a tree', () => {
  const assets = [
    '100%.html',
    'a%41.html',
    'a%2ehtml/b.html',
    'cafe\u0301.html',
    '.well-known/x.html',
    'con.html',
    'a:b.html',
  ]
  const others = [
    'about.htm',
    'about.HTML',
    'about.html/x',
    'a.html.html',
    '.html',
    'a/.html',
    '.long/0.html',
    '',
    '/a.html',
  ]
  for (const treePath of [...assets, ...others, 'x/../a.html', 'a//b.html', 'a\\b.html', `${'x'.repeat(300)}.html`]) {
    it(`${JSON.stringify(treePath).slice(0, 40)} is no page`, () => assert.equal(pagePathOf(treePath), undefined))
  }

  it('is a page only if the encoding of its decoded name is its name', () => {
    fc.assert(
      fc.property(fc.oneof(anyPath, likelyPath), (name) => {
        const treePath = `${name.replace(/^\//, '')}.html`
        const path = pagePathOf(treePath)
        if (path !== undefined) assert.equal(treePathOf(path), treePath)
      }),
      { numRuns: 5000 },
    )
  })
})

describe('the literal file of a request', () => {
  const served: [pathname: string, treePath: string][] = [
    ['/logo.png', 'logo.png'],
    ['/a%20b/100%25.png', 'a b/100%.png'],
    ['/cafe%CC%81.png', 'cafe\u0301.png'],
    ['/a%23b.png', 'a#b.png'],
    ['/.well-known/security.txt', '.well-known/security.txt'],
    ['/.well-known/x.html', '.well-known/x.html'],
    ['/collections/con.html', 'collections/con.html'],
    ['/100%25.html', '100%.html'],
  ]
  for (const [pathname, treePath] of served) {
    it(`${pathname} is ${treePath}`, () => assert.equal(assetPathOf(pathname), treePath))
  }

  const never = [
    [
      '/.site.json',
      '/.pages/00/x.json',
      '/.templates/blank.html',
      '/.long/x.html',
      '/a/.hidden',
      '/.well-known',
      '/.git/HEAD',
    ],
    [
      '/%2Esite.json',
      '/.well-known/.x',
      '/a/.well-known/x',
      '/collections/x.json',
      '/collections/x/y.json',
      '/_redirects',
    ],
    [
      '/_headers',
      '/%5Fheaders',
      '/',
      '/docs/',
      '/a//b',
      '/../x',
      '/a/%2e%2e/x',
      '/a%2Fb',
      '/a%5Cb',
      '/a\\b',
      '/a%00',
      '/%zz',
    ],
    ['logo.png', '', '/about.html', '/docs/index.html', '/%252Ewell-known/x.html'],
  ].flat()
  for (const pathname of never) {
    it(`${pathname} names none`, () => assert.equal(assetPathOf(pathname), undefined))
  }
})

describe('the case fold of names', () => {
  const same: [string, string][] = [
    ['About', 'about'],
    ['café', 'CAFE\u0301'],
    ['straße', 'STRASSE'],
    ['STRAẞE', 'strasse'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['a\u200cb', 'ab'],
    ['\u1fb3', 'αι'],
  ]
  for (const [one, other] of same) {
    it(`merges ${one} and ${other}`, () => assert.equal(foldCase(one), foldCase(other)))
  }

  it('keeps different names apart', () => assert.notEqual(foldCase('about'), foldCase('abont')))

  it('folds a folded name to itself, and both cases of a name to one', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 8 }), (name) => {
        assert.equal(foldCase(foldCase(name)), foldCase(name))
        // An iota subscript turns into a letter in upper case, and a mark after it then belongs to that letter.
        if (!name.normalize('NFD').includes('\u0345')) assert.equal(foldCase(name.toUpperCase()), foldCase(name))
        assert.equal(foldCase(name.normalize('NFD')), foldCase(name))
      }),
      { numRuns: 5000, examples: [['ẞ'], ['İ'], ['ŉ'], ['\u0390'], ['ᾂ'], ['ᾳ\u0301']] },
    )
  })
})

describe('any text given as a path', () => {
  const paths = fc.oneof(anyPath, likelyPath)

  it('is accepted and round-trips, or is refused with a reason', () => {
    let accepted = 0
    fc.assert(
      fc.property(paths, (input) => {
        const path = parseOrRefusal(input)
        if (path === undefined) return
        accepted += 1
        assert.equal(parsePagePath(path), path, 'a canonical path is its own canonical form')
        assert.equal(path.normalize('NFC'), path)
        assert.equal(pagePathOfUrl(urlPathOf(path)), path)
        assert.equal(new URL(urlPathOf(path), 'http://a.test').pathname, urlPathOf(path), 'a browser asks for that URL')
        const treePath = treePathOf(path)
        assert.equal(pagePathOf(treePath), treePath.startsWith('.long/') ? undefined : path)
        assert.equal(assetPathOf(`/${encodeURIComponent(treePath)}`), undefined, 'a page has no second, literal URL')
      }),
      { numRuns: 3000 },
    )
    assert.ok(accepted > 750, `only ${accepted} were accepted: the property says little`)
  })

  it('shares its file and its URL with no other page', () => {
    const byFile = new Map<string, PagePath>()
    const byUrl = new Map<string, PagePath>()
    fc.assert(
      fc.property(paths, (input) => {
        const path = parseOrRefusal(input)
        if (path === undefined) return
        assert.equal(byFile.get(treePathOf(path)) ?? path, path)
        assert.equal(byUrl.get(urlPathOf(path)) ?? path, path)
        byFile.set(treePathOf(path), path)
        byUrl.set(urlPathOf(path), path)
      }),
      { numRuns: 3000 },
    )
  })
})

function parseOrRefusal(input: string): PagePath | undefined {
  try {
    return parsePagePath(input)
  } catch (error) {
    assert.ok(error instanceof ServiceError && error.code === 'invalid_path' && error.message.length > 10)
    return undefined
  }
}
