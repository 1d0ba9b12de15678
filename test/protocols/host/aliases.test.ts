// Symbolic links of a site: aliases, which answer as copies of what they lead to would.

import assert from 'node:assert/strict'
import { type Content, Hosting } from './hosting.js'

const linkTo = (bytes: string): Content => ({ mode: '120000', bytes })

const FILES: Record<string, Content> = {
  'index.html': 'start',
  '404.html': 'lost',
  '1.0/index.html': '<h1>1.0</h1>',
  '1.0/guide.html': 'guide 1.0',
  '1.0/app.4f2a.js': 'let app',
  '1.0/404.html': 'lost in 1.0',
  '1.0/app.js': linkTo('app.4f2a.js'),
  'docs/home.html': 'home',
  'docs/index.html': linkTo('home.html'),
  latest: linkTo('1.0'),
  stable: linkTo('latest'),
  'versions/newest': linkTo('../stable/'),
  'copy.html': linkTo('1.0/guide.html'),
  download: linkTo('1.0/app.js'),
  'download.html': 'how to download',
  'style.css': linkTo('1.0/app.4f2a.js'),
  'cafe\u0301.txt': linkTo('index.html'),
  _headers: '/1.0/*\n  X-Area: versions\n/latest/*\n  X-Area: latest\n',
  _redirects: '/shown /latest/guide 200\n/old/* /latest/:splat\n',
}

describe('symbolic links of a site', () => {
  const hosting = new Hosting({ readMarkdown: async () => '# Guide' })
  const textAt = async (target: string) => {
    const { status, body } = await hosting.ask('links', target)
    return `${status} ${body.toString()}`
  }

  before(async () => {
    await hosting.createSite('links', FILES)
    await hosting.start()
  })
  after(() => hosting.stop())

  it('answer as the page, file or folder that they lead to', async () => {
    const served: Record<string, string> = {
      '/latest/': '<h1>1.0</h1>',
      '/latest/guide': 'guide 1.0',
      '/stable/guide': 'guide 1.0',
      '/versions/newest/guide': 'guide 1.0',
      '/versions/newest/app.js': 'let app',
      '/1.0/app.js': 'let app',
      '/docs/': 'home',
      '/copy': 'guide 1.0',
      '/download': 'let app',
      '/download.html': 'how to download',
      '/shown': 'guide 1.0',
      '/cafe%CC%81.txt': 'start',
    }
    for (const [target, text] of Object.entries(served)) assert.equal(await textAt(target), `200 ${text}`, target)
    assert.equal(await textAt('/latest/none/x'), '404 lost in 1.0')
  })

  it('have the other spellings of their own URL', async () => {
    const moved: Record<string, string> = {
      '/latest': '/latest/',
      '/copy/': '/copy',
      '/latest/guide/': '/latest/guide',
      '/latest//guide': '/latest/guide',
      '/caf%C3%A9.txt': '/cafe%CC%81.txt',
    }
    for (const [target, location] of Object.entries(moved)) {
      const { status, headers } = await hosting.ask('links', target)
      assert.deepEqual([status, headers['location']], [308, location], target)
    }
    const { headers } = await hosting.ask('links', '/latest/guide.html')
    assert.equal(headers['link'], '</latest/guide>; rel="canonical"')
  })

  it('have the type and the rules of their own name, and the entity tag and time of the content', async () => {
    const [page, alias] = await Promise.all([hosting.ask('links', '/1.0/guide'), hosting.ask('links', '/latest/guide')])
    for (const name of ['etag', 'last-modified', 'cache-tag', 'content-type'])
      assert.equal(alias.headers[name], page.headers[name], name)
    assert.deepEqual([page.headers['x-area'], alias.headers['x-area']], ['versions', 'latest'])
    assert.equal((await hosting.ask('links', '/style.css')).headers['content-type'], 'text/css; charset=utf-8')
  })

  it('answer to HEAD, conditions and ranges', async () => {
    const { headers } = await hosting.ask('links', '/latest/app.js')
    const head = await hosting.ask('links', '/latest/app.js', {}, 'HEAD')
    assert.deepEqual([head.status, head.headers['content-length'], head.body.length], [200, '7', 0])
    const kept = await hosting.ask('links', '/latest/app.js', { 'If-None-Match': headers['etag'] ?? '' })
    assert.equal(kept.status, 304)
    const part = await hosting.ask('links', '/latest/app.js', { Range: 'bytes=4-6' })
    assert.deepEqual([part.status, part.body.toString()], [206, 'app'])
  })

  it('are in no sitemap, which leaves out a page whose URL they have', async () => {
    const urls = (await textAt('/sitemap.xml')).match(/(?<=<loc>http:\/\/links\.site\.test:8080).*?(?=<)/g)
    assert.deepEqual(urls?.toSorted(), ['/', '/1.0/', '/1.0/guide', '/docs/home'])
  })

  it('are 404 if they lead in circles, too far, out of the site, to nothing or to what is hidden', async () => {
    const row = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`l${at + 1}.txt`, linkTo(`l${at}.txt`)]))
    const bad: Record<string, Content> = {
      'a.txt': linkTo('b.txt'),
      'b.txt': linkTo('a.txt'),
      'out.txt': linkTo('../links.git/HEAD'),
      'passwd.txt': linkTo('/etc/passwd'),
      'gone.txt': linkTo('nothing.txt'),
      'hidden.txt': linkTo('.site.json'),
      'rules.txt': linkTo('_headers'),
      pages: linkTo('.pages'),
    }
    await hosting.createSite('bad', { 'index.html': 'start', 'l0.txt': 'end', ...row, ...bad, '.pages/x.json': '{}' })
    for (const target of ['/a.txt', '/out.txt', '/passwd.txt', '/gone.txt', '/hidden.txt', '/rules.txt', '/l9.txt'])
      assert.equal((await hosting.ask('bad', target)).status, 404, target)
    for (const target of ['/pages/x.json', '/pages/', '/pages'])
      assert.equal((await hosting.ask('bad', target)).status, 404)
    assert.equal((await hosting.ask('bad', '/l8.txt')).body.toString(), 'end')
  })

  it('hold no rules', async () => {
    await hosting.createSite('ruled', {
      'index.html': 'x',
      'rules.txt': '/a /index.html 200',
      _redirects: linkTo('rules.txt'),
    })
    assert.equal((await hosting.ask('ruled', '/a')).status, 404)
  })
})
