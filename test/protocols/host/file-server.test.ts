import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'mocha'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { join } from 'node:path'
import { flipByteOf } from '../../support/damage.js'
import { type Content, Hosting } from './hosting.js'
import { until } from '../../support/within.js'

const LONG_PATH = `/${'long'.repeat(80)}`
const LONG_FILE = `.long/${createHash('sha256').update(LONG_PATH).digest('hex')}.html`
const COLLECTION = '0b8f7c1e-4d52-4d0a-9f0e-3f1c2a5b6c7d'

const FILES: Record<string, Content> = {
  'index.html': '<h1>Start</h1>',
  'about.html': '<h1>About</h1>\n',
  'docs.html': 'docs',
  'docs/index.html': 'docs folder',
  'docs/intro.html': 'intro',
  'café/a b.html': 'café',
  'a%2Ehtml/b.html': 'inside',
  '%2Ewell-known/x.html': 'a page',
  'empty.html': '',
  [LONG_FILE]: 'long',
  'style.css': 'body{}',
  'img/logo.svg': '<svg/>',
  exact: 'a file',
  'exact.html': 'a page',
  'cafe\u0301.txt': 'decomposed',
  'collections/shop.html': 'shop',
  '.well-known/security.txt': 'Contact:',
  '404.html': '<h1>Lost?</h1>',
  // None of these is ever served.
  '.pages/00/x.json': '{}',
  '.templates/blank.html': 'template',
  '.well-known/.hidden': 'hidden',
  'docs/.hidden.html': 'hidden',
  [`collections/${COLLECTION}.json`]: '{}',
  [`collections/${COLLECTION}/${COLLECTION}.json`]: '{}',
  _redirects: '/a /b',
  _headers: '/*',
  'link.html': { mode: '120000', bytes: '/etc/hostname' },
  'link.txt': { mode: '120000', bytes: '_headers' },
  module: { mode: '160000', bytes: '1'.repeat(40) },
}

describe('the file server', () => {
  const hosting = new Hosting()
  let demo: string
  const oidOf = (path: string) => hosting.git('demo', ['rev-parse', `main:${path}`])

  before(async () => {
    demo = (await hosting.createSite('demo', FILES)).id
    await hosting.createSite('bare', { 'index.html': 'bare', 'docs/404.html': 'only below docs' })
    await hosting.start()
  })
  after(() => hosting.stop())

  it('answers a page with its bytes and these fields', async () => {
    const { status, headers, body } = await hosting.ask('demo', '/about')
    assert.equal(status, 200)
    assert.equal(body.toString(), FILES['about.html'])
    const { date, 'cache-tag': cacheTag, ...rest } = headers
    assert.match(date ?? '', /GMT$/)
    assert.match(cacheTag ?? '', new RegExp(`^site-${demo}, page-[0-9a-f-]{36}$`))
    assert.deepEqual(rest, {
      'x-content-type-options': 'nosniff',
      'origin-agent-cluster': '?1',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cache-control': 'public, max-age=0, must-revalidate',
      'accept-ranges': 'bytes',
      'content-type': 'text/html; charset=utf-8',
      'content-length': '15',
      etag: `"${oidOf('about.html')}"`,
      'last-modified': 'Tue, 14 Nov 2023 22:15:00 GMT',
      connection: 'close',
    })
  })

  const served: [target: string, treePath: string, type?: string][] = [
    ['/', 'index.html'],
    ['/?q=1', 'index.html'],
    ['/index.html', 'index.html'],
    ['/about.html', 'about.html'],
    ['/docs', 'docs.html'],
    ['/docs/', 'docs/index.html'],
    ['/docs/intro.html', 'docs/intro.html'],
    ['/caf%C3%A9/a%20b', 'café/a b.html'],
    ['/a.html/b', 'a%2Ehtml/b.html'],
    ['/.well-known/x', '%2Ewell-known/x.html'],
    ['/empty', 'empty.html'],
    [LONG_PATH, LONG_FILE],
    ['/404', '404.html'],
    ['/style.css', 'style.css', 'text/css; charset=utf-8'],
    ['/img/logo.svg', 'img/logo.svg', 'image/svg+xml'],
    ['/exact', 'exact', 'application/octet-stream'],
    ['/exact.html', 'exact.html'],
    ['/cafe%CC%81.txt', 'cafe\u0301.txt', 'text/plain; charset=utf-8'],
    ['/collections/shop', 'collections/shop.html'],
    ['/.well-known/security.txt', '.well-known/security.txt', 'text/plain; charset=utf-8'],
  ]
  for (const [target, treePath, type = 'text/html; charset=utf-8'] of served) {
    it(`answers ${target.slice(0, 40)} with ${treePath.slice(0, 40)}`, async () => {
      const { status, headers, body } = await hosting.ask('demo', target)
      assert.deepEqual([status, headers['content-type'], body.toString()], [200, type, FILES[treePath]])
    })
  }

  const reserved = [
    [
      '/.site.json',
      '/.pages/00/x.json',
      '/.templates/blank.html',
      '/.templates/blank',
      `/${LONG_FILE}`,
      '/.well-known/.hidden',
    ],
    [
      '/docs/.hidden',
      '/docs/.hidden.html',
      `/collections/${COLLECTION}.json`,
      `/collections/${COLLECTION}/${COLLECTION}.json`,
    ],
    ['/_redirects', '/_headers', '/%5fredirects', '/link', '/link.html', '/link.txt', '/module', '/module/x'],
    ['/%252Ewell-known/x.html', '/img', '/img/', '/ABOUT', '/docs/../about', '/docs/%2e%2e/about'],
    ['/docs%2Fintro', '/docs%5Cintro', '/about%00', '/about%', '/about#x', '/%C0%AEsite.json', '/none'],
    ['/style.css/', '/style.css/x', `/${'a/'.repeat(2000)}`],
  ].flat()
  for (const target of reserved) {
    it(`answers ${target.slice(0, 40)} with the site's own not-found page`, async () => {
      const { status, headers, body } = await hosting.ask('demo', target)
      assert.deepEqual([status, body.toString()], [404, FILES['404.html']])
      assert.equal(headers['etag'], undefined)
      assert.equal(headers['cache-control'], 'public, max-age=0, must-revalidate')
    })
  }

  it('answers 404 with a plain page if the site has no not-found page', async () => {
    const { status, headers, body } = await hosting.ask('bare', '/none')
    assert.equal(status, 404)
    assert.match(body.toString(), /<title>Not Found<\/title>/)
    assert.equal(headers['content-length'], String(body.length))
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  })

  it('says that a site has no start page yet, without a link to the same answer', async () => {
    await hosting.createSite('empty', { 'about.html': 'about' })
    for (const target of ['/', '/?q=x']) {
      const { status, body } = await hosting.ask('empty', target)
      assert.equal(status, 404)
      assert.match(body.toString(), /<main>\n<h1>Not Found<\/h1>\n<p>This site has no start page yet\./)
      assert.doesNotMatch(body.toString(), /Go to its start page/)
    }
    assert.match((await hosting.ask('empty', '/none')).body.toString(), /<a href="\/">Go to its start page/)
  })

  it('answers 404 for a label that is no site', async () => {
    for (const label of ['other', '_', 'xn--demo', '..', 'demo/../bare']) {
      assert.notEqual((await hosting.ask(label, '/')).status, 200, label)
    }
    assert.equal((await hosting.ask('other', '/')).status, 404)
    assert.equal((await hosting.ask('DEMO', '/')).status, 200)
  })

  it('answers HEAD with the fields of GET and no body', async () => {
    for (const target of ['/about', '/empty', '/style.css', '/none']) {
      const [get, head] = [await hosting.ask('demo', target), await hosting.ask('demo', target, {}, 'HEAD')]
      assert.deepEqual({ ...head.headers, date: '' }, { ...get.headers, date: '' })
      assert.deepEqual([head.status, head.body.length], [get.status, 0])
    }
  })

  it('answers 304 to a visitor who names the entity tag', async () => {
    const tag = `"${oidOf('about.html')}"`
    for (const field of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, body } = await hosting.ask('demo', '/about', { 'If-None-Match': field }, method)
        assert.deepEqual([status, headers['etag'], body.length], [304, tag, 0], field)
        assert.equal(headers['cache-control'], 'public, max-age=0, must-revalidate')
      }
    }
    assert.equal((await hosting.ask('demo', '/about', { 'If-None-Match': '"x"' })).status, 200)
    assert.equal((await hosting.ask('demo', '/none', { 'If-None-Match': '*' })).status, 404)
  })

  it('answers 405 to other methods than GET, HEAD and OPTIONS', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND']) {
      const { status, headers } = await hosting.ask('demo', '/about', { 'Content-Length': '0' }, method)
      assert.deepEqual([status, headers['allow']], [405, 'GET, HEAD, OPTIONS'], method)
    }
    const { status, headers } = await hosting.ask('demo', '/about', {}, 'OPTIONS')
    assert.deepEqual([status, headers['allow']], [204, 'GET, HEAD, OPTIONS'])
  })

  it('shows a pushed file without a restart, and stops showing a removed one', async () => {
    hosting.commit('bare', { 'new.html': 'new' })
    await until(
      async () => (await hosting.ask('bare', '/new')).status,
      (status) => status === 200,
    )
    hosting.commit('bare', { 'new.html': null })
    await until(
      async () => (await hosting.ask('bare', '/new')).status,
      (status) => status === 404,
    )
  })
})

describe('the file server without a cache', () => {
  const hosting = new Hosting({ cacheBytes: 0 })

  before(async () => {
    await hosting.createSite('demo', { 'index.html': 'start' })
    await hosting.start()
  })
  after(() => hosting.stop())

  it('serves pages without one', async () => {
    for (const time of ['first', 'second']) {
      assert.equal((await hosting.ask('demo', '/')).body.toString(), 'start', time)
    }
  })
})

describe('a precompressed build', () => {
  const hosting = new Hosting()
  const plain = Buffer.from(`var game = 1;${' '.repeat(4000)}`)
  const files = {
    'Build/g.js.br': brotliCompressSync(plain),
    'Build/g.data.unityweb': gzipSync(plain),
    'Build/plain.js': plain,
    'Build/index.html': plain,
    _headers: `/Build/*
  Content-Encoding: br
/Build/g.js.br
  Content-Type: text/javascript
/Build/g.data.unityweb
  Content-Encoding: gzip`,
    _redirects: '/game.js /Build/g.js.br 200',
  }
  const ask = (target: string, headers: Record<string, string> = {}) => hosting.ask('demo', target, headers)

  before(async () => {
    await hosting.createSite('demo', files)
    await hosting.start()
  })
  after(() => hosting.stop())

  it('is sent as it is stored, with the coding that the site names, whatever the visitor accepts', async () => {
    for (const [target, coding] of [
      ['Build/g.js.br', 'br'],
      ['Build/g.data.unityweb', 'gzip'],
    ] as const)
      for (const accepted of ['br, gzip', 'gzip', 'identity', '*;q=0']) {
        const { status, headers, body } = await ask(`/${target}`, { 'Accept-Encoding': accepted })
        assert.deepEqual([status, headers['content-encoding'], headers['vary']], [200, coding, undefined], accepted)
        assert.deepEqual(body, files[target])
        assert.equal(headers['content-length'], String(files[target].length))
        const again = await ask(`/${target}`, { 'If-None-Match': headers['etag'] ?? '', 'Accept-Encoding': accepted })
        assert.deepEqual([again.status, again.headers['content-encoding']], [304, undefined])
      }
    assert.equal((await ask('/Build/g.js.br')).headers['content-type'], 'text/javascript')
  })

  it('has ranges of its stored bytes', async () => {
    const part = await ask('/Build/g.js.br', { Range: 'bytes=2-5' })
    assert.deepEqual([part.status, part.headers['content-encoding']], [206, 'br'])
    assert.deepEqual(part.body, files['Build/g.js.br'].subarray(2, 6))
  })

  it('leaves other files of the rule alone, and gives no coding by the path that shows it in place', async () => {
    for (const target of ['/Build/plain.js', '/Build/']) {
      const { headers, body } = await ask(target, { 'Accept-Encoding': 'identity' })
      assert.deepEqual([headers['content-encoding'], body.toString()], [undefined, plain.toString()], target)
      assert.equal((await ask(target, { 'Accept-Encoding': 'gzip' })).headers['content-encoding'], 'gzip')
    }
    const shown = await ask('/game.js')
    assert.deepEqual([shown.headers['content-encoding'], shown.body], ['br', files['Build/g.js.br']])
  })
})

describe('a drawing that is stored compressed', () => {
  const hosting = new Hosting()
  const zipped = gzipSync(`<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(1000)}</svg>`)
  const ask = (target: string, headers: Record<string, string> = {}) => hosting.ask('demo', target, headers)

  before(async () => {
    const headers = '/raw.svgz\n  Content-Type: application/gzip'
    const files = { 'a.svgz': zipped, 'B.SVGZ': zipped, 'raw.svgz': zipped, 'data.json.gz': zipped, _headers: headers }
    await hosting.createSite('demo', files)
    await hosting.start()
  })
  after(() => hosting.stop())

  it('is sent as it is stored, and says so, whatever the visitor accepts', async () => {
    for (const target of ['/a.svgz', '/B.SVGZ'])
      for (const accepted of ['br, gzip', 'identity', 'gzip;q=0']) {
        const { status, headers, body } = await ask(target, { 'Accept-Encoding': accepted })
        const { 'content-type': type, 'content-encoding': encoding, vary } = headers
        assert.deepEqual([status, type, encoding, vary], [200, 'image/svg+xml', 'gzip', undefined], accepted)
        assert.deepEqual(body, zipped)
      }
    const part = await ask('/a.svgz', { Range: 'bytes=2-5' })
    assert.deepEqual([part.status, part.headers['content-encoding']], [206, 'gzip'])
    assert.deepEqual(part.body, zipped.subarray(2, 6))
  })

  it('has no coding if the site gives it another type, and other compressed files have none', async () => {
    for (const target of ['/raw.svgz', '/data.json.gz']) {
      const { headers, body } = await ask(target)
      assert.deepEqual([headers['content-type'], headers['content-encoding']], ['application/gzip', undefined])
      assert.deepEqual(body, zipped)
    }
  })
})

describe('the file server with two sites of equal files', () => {
  const hosting = new Hosting()

  before(async () => {
    for (const slug of ['one', 'two'])
      await hosting.createSite(slug, { 'about.html': 'equal', _redirects: '/a /about' })
    await hosting.start()
  })
  after(() => hosting.stop())

  it('answers for each site from its own repository only', async () => {
    assert.equal((await hosting.ask('one', '/about')).status, 200)
    assert.equal((await hosting.ask('one', '/a')).status, 301)
    for (const file of ['about.html', '_redirects']) {
      flipByteOf(join(hosting.dataDir, 'two.git'), hosting.git('two', ['rev-parse', `main:${file}`]))
    }
    assert.equal((await hosting.ask('two', '/about')).status, 503)
    assert.equal((await hosting.ask('two', '/a')).status, 404)
  })
})
