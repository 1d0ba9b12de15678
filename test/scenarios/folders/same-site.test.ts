import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import supertest from 'supertest'
import { runCommand } from '../commands.js'
import { RemoteGit } from '../../support/remote-git.js'
import { startTestService, type TestService } from '../../support/service.js'

const FILES: Readonly<Record<string, string | Buffer>> = {
  'index.html': '<h1>Home</h1>',
  '404.html': 'nothing here',
  'about.html': 'about',
  'about/index.html': 'about/',
  'docs/index.html': 'docs/',
  'download.html': 'page',
  download: 'file',
  'tags/Go/index.html': 'Go',
  'tags/go/index.html': 'go',
  'Logo.svg': '<svg/>',
  'logo.svg': '<svg id="b"/>',
  'tags/c#/index.html': 'sharp',
  'tags/c#/more.html': 'more',
  'q?/a&b=c.txt': 'query',
  '50%.html': 'half',
  '%41.html': 'escape',
  'con.txt': 'device',
  'a:b|c"d<e>*.txt': 'windows',
  'end./x .txt': 'dot',
  'nfd/u\u0308.html': 'u',
  'nfd/o\u0308/index.html': 'o',
  'nfd/a\u0308.png': 'a',
  'both/e\u0301.txt': 'decomposed',
  'both/\u00e9.txt': 'composed',
  'empty.html': '',
  'empty.css': '',
  'latin.html': Buffer.from('<meta charset=iso-8859-1>caf\xe9', 'latin1'),
  'Upper.HTML': 'upper',
  '.well-known/security.txt': 'Contact: mailto:us@example.com',
  'a.html/b.html': 'folder like a page',
  'x.html.html': 'twice',
  _redirects: '/old /about\n/app/* /docs/ 200\n',
  _headers: '/docs/*\n  X-Frame-Options: DENY\n',
}

describe('a push and a publish of the same folder', () => {
  let service: TestService
  let folder: string

  before(async () => {
    service = await startTestService()
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-same-site-'))
    for (const [name, bytes] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, 'site', name)), { recursive: true })
      writeFileSync(join(folder, 'site', name), bytes)
    }
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await service.stop()
  })

  async function push(key: string): Promise<void> {
    const client = new RemoteGit()
    try {
      await client.run('clone', '-q', `http://git:${key}@${new URL(service.origin).host}/git/pushed.git`, 'site')
      cpSync(join(folder, 'site'), client.path('site'), { recursive: true })
      await client.in('site', 'add', '-A')
      await client.in('site', 'commit', '-qm', 'Add a folder')
      await client.in('site', 'push', '-q', 'origin', 'HEAD:main')
    } finally {
      client.remove()
    }
  }

  async function publish(): Promise<void> {
    const { code, stderr } = await runCommand({
      args: ['publish', 'site', '--site', 'published'],
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, BASE_URL: service.origin, SERVICE_API_TOKEN: service.key },
    })
    assert.equal(code, 0, stderr)
    assert.doesNotMatch(stderr, /left out/)
  }

  /** The answer after at most one redirect. */
  async function visit(slug: string, url: string): Promise<unknown> {
    const get = (path: string) =>
      supertest(service.origin).get(path).set('Host', `${slug}.localhost`).redirects(0).buffer(true)
    const first = await get(url)
    const last = first.status === 308 ? await get(first.headers['location'] ?? '') : first
    const { status, headers, text, body } = last
    return [status, headers['content-type'], headers['x-frame-options'], headers['location'], text ?? String(body)]
  }

  it('give the same answer at every URL, and the bytes of each file at its own', async () => {
    const { key } = await service.mint({ scopes: ['admin'] })
    for (const slug of ['pushed', 'published']) await service.api(key).post('/sites').send({ slug }).expect(201)
    await push(key)
    await publish()
    const urls = new Set(['/', '/old', '/app/x', '/none', '/docs', '/tags/c%23', '/ABOUT', '/tags/GO/'])
    for (const name of Object.keys(FILES)) {
      const url = `/${encodeURI(name).replaceAll('#', '%23').replaceAll('?', '%3F')}`
      const clean = url.replace(/(?:(?<=\/)index)?\.html$/, '')
      for (const form of [url, clean, `${clean}/`, clean.replace(/(?<=.)\/$/, '')]) {
        const decoded = decodeURIComponent(
          form.replaceAll('%25', '%2525').replaceAll('%23', '%2523').replaceAll('%3F', '%253F'),
        )
        for (const normal of ['NFC', 'NFD']) urls.add(encodeURI(decoded.normalize(normal)).replaceAll('%25', '%'))
        urls.add(form)
      }
      const [status] = (await visit('pushed', url)) as [number]
      assert.equal(status, name.startsWith('_') ? 404 : 200, url)
    }
    for (const url of urls) assert.deepEqual(await visit('published', url), await visit('pushed', url), url)
    assert.ok(urls.size > 90, `${urls.size}`)
  })
})
