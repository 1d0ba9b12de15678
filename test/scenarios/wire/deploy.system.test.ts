import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { PROXIES, type Proxy, startProxy } from '../../servers/proxies.js'
import { startOwnService, type TestService } from '../../support/service.js'

const run = promisify(execFile)

for (const proxy of PROXIES) {
  describe(`behind ${proxy.name}, set up as documented`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-deploy-'))
    let service: TestService
    let through: Proxy | undefined

    /** One request by curl through the proxy: its head without what differs by hop or second, and its body. */
    async function ask(url: string, ...args: string[]): Promise<{ status: number; head: string[]; body: string }> {
      const { hostname, protocol } = new URL(url)
      const port = protocol === 'https:' ? through?.https : through?.http
      const to = ['--connect-to', `${hostname}::127.0.0.1:${port}`]
      return curl(['--cacert', join(folder, 'fullchain.pem'), ...to, ...args, url])
    }

    async function curl(args: string[]): Promise<{ status: number; head: string[]; body: string }> {
      const { stdout } = await run('curl', ['-sS', '--path-as-is', '--max-time', '10', '-i', ...args], {
        maxBuffer: 1 << 26,
      })
      const answer = stdout.replace(/^(?:HTTP\/\S+ 1\d\d.*?\r\n\r\n)+/s, '')
      const end = answer.indexOf('\r\n\r\n')
      const [start = '', ...fields] = answer.slice(0, end).split('\r\n')
      const hop = /^(?:date|server|connection|keep-alive|alt-svc|transfer-encoding):/i
      const head = fields
        .filter((field) => !hop.test(field))
        .map((field) => field.replace(/^[^:]+/, (name) => name.toLowerCase()))
      return { status: Number(start.split(' ')[1]), head: head.toSorted(), body: answer.slice(end + 4) }
    }

    before(async () => {
      const { DATA_DIR: _, ...env } = parseEnv(readFileSync('deploy/one/palimpsest.env', 'utf8')) as Record<
        string,
        string
      >
      service = await startOwnService({ env })
      through = await startProxy(proxy, { folder, servicePort: service.server.port, baseHost: 'pages.example' })
      assert.ok(through, `${proxy.program} is not there: apt-get install ${proxy.name.toLowerCase()}`)
    })
    after(async () => {
      await through?.stop()
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    it('answers every path as the service does', async () => {
      const { key } = service
      const headers = ['-H', `Authorization: Bearer ${key}`, '-H', 'Content-Type: text/html']
      const publish = await ask(
        'https://pages.example/api/v1/pages?path=/about',
        ...headers,
        '-X',
        'PUT',
        '-d',
        'about us',
      )
      assert.equal(publish.status, 201)
      for (const target of [
        '/',
        '/about',
        '/about/',
        '/about?q=%22',
        '/a//b',
        '//about',
        '/%61bout',
        '/docs/../about',
        '/no%2Fne',
        '/none',
        '/.site.json',
      ]) {
        const direct = await curl(['-H', 'Host: demo.sites.test', `http://127.0.0.1:${service.server.port}${target}`])
        const proxied = await ask(
          `https://demo.sites.test${target}`,
          '-H',
          'X-Forwarded-Host: evil.example',
          '-H',
          'X-Forwarded-Proto: gopher',
        )
        assert.deepEqual(proxied, direct, target)
      }
    })

    it('accepts a page as large as the service does, and serves it', async () => {
      const file = join(folder, 'large.html')
      // Text would be indexed, for seconds.
      writeFileSync(file, `<!--${'large'.padEnd(9_599_993)}-->`)
      const headers = ['-H', `Authorization: Bearer ${service.key}`, '-H', 'Content-Type: text/html']
      const publish = await ask('https://pages.example/api/v1/pages?path=/large', ...headers, '-T', file)
      assert.equal(publish.status, 201)
      assert.equal((await ask('https://demo.sites.test/large')).body.length, 9_600_000)
    })

    it('serves the past of a site under the same certificate', async () => {
      const api = service.api()
      const { body } = await api.get(`/sites/${service.site.id}/commits?limit=1`).expect(200)
      const [commit] = (body as { data: { id: string }[] }).data
      const made = await api.post(`/sites/${service.site.id}/links`).send({ commit: commit?.id }).expect(201)
      const { url } = (made.body as { data: { url: string } }).data
      assert.match(url, /^https:\/\/link-[0-9a-f]{32}\.sites\.test\/\.open\/[\w-]{43}\/$/)
      const { status, head } = await ask(`${url}about`)
      assert.equal(status, 302)
      const cookie = /^set-cookie: ([^;]*); .*; Secure$/m.exec(head.join('\n'))?.[1] ?? ''
      const page = await ask(new URL('/about', url).href, '-H', `Cookie: ${cookie}`)
      assert.equal(page.body, 'about us')
    })

    it('redirects plain HTTP to TLS', async () => {
      const { status, head } = await ask('http://demo.sites.test/about?x=1')
      assert.equal(status, 308)
      assert.ok(head.includes('location: https://demo.sites.test/about?x=1'), head.join('\n'))
    })
  })
}
