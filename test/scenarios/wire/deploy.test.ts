import assert from 'node:assert/strict'
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startTestService, type TestService } from '../../support/service.js'

const run = promisify(execFile)
const DOCUMENT = readFileSync('docs/deploy.md', 'utf8')

/** The block of docs/deploy.md that names this file in its first line. */
function blockFor(file: string): string {
  const block = new RegExp(`^\`\`\`\\w+\\n# ${file.replaceAll('.', '\\.')}\\n(.*?)^\`\`\`$`, 'ms').exec(DOCUMENT)
  if (block?.[1] === undefined) throw new Error(`docs/deploy.md has no ${file}`)
  return block[1]
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

interface Place {
  folder: string
  service: TestService
  http: number
  https: number
}

interface Terminator {
  name: string
  program: string
  /** Writes its configuration, as documented but for ports and certificates, and answers how it is started. */
  prepare(place: Place): { args: string[]; env?: Record<string, string> }
}

const atCertificates = (text: string, folder: string) => text.replaceAll('/etc/ssl/palimpsest', folder)

const PROXIES: Terminator[] = [
  {
    name: 'nginx',
    program: '/usr/sbin/nginx',
    prepare({ folder, service, http, https }) {
      const site = atCertificates(blockFor('/etc/nginx/conf.d/palimpsest.conf'), folder)
        .replace('127.0.0.1:8080', `127.0.0.1:${service.server.port}`)
        .replace('listen 443', `listen 127.0.0.1:${https}`)
        .replace('listen 80', `listen 127.0.0.1:${http}`)
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
        .join('\n')
      const user = process.getuid?.() === 0 ? 'user root;' : ''
      const whole = `${user} daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/log;
        events {} http { access_log off; ${temporary}\n${site} }`
      writeFileSync(join(folder, 'nginx.conf'), whole)
      return { args: ['-e', join(folder, 'log'), '-c', join(folder, 'nginx.conf')] }
    },
  },
  {
    name: 'Caddy',
    program: '/usr/bin/caddy',
    prepare({ folder, service, http, https }) {
      const site = atCertificates(blockFor('/etc/caddy/Caddyfile'), folder).replace(
        '127.0.0.1:8080',
        `127.0.0.1:${service.server.port}`,
      )
      const options = `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\thttp_port ${http}\n\thttps_port ${https}\n}\n`
      writeFileSync(join(folder, 'Caddyfile'), options + site)
      const env = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder }
      return { args: ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], env }
    },
  },
]

for (const proxy of PROXIES) {
  describe(`behind ${proxy.name}, set up as documented`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-deploy-'))
    let place: Place
    let child: ChildProcess | undefined

    /** One request by curl through the proxy: its head without what differs by hop or second, and its body. */
    async function ask(url: string, ...args: string[]): Promise<{ status: number; head: string[]; body: string }> {
      const { hostname, protocol } = new URL(url)
      const port = protocol === 'https:' ? place.https : place.http
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

    before(async function () {
      if (!existsSync(proxy.program)) {
        process.stderr.write(`    Debian's ${proxy.name.toLowerCase()} is not here: skipped\n`)
        this.skip()
      }
      const subject = ['-subj', '/CN=pages.example', '-addext', 'subjectAltName=DNS:pages.example,DNS:*.sites.test']
      const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'fullchain.pem')]
      const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
      execFileSync('openssl', ['req', '-x509', ...kind, ...subject, ...files], { stdio: 'ignore' })
      const settings = blockFor('/etc/palimpsest.env')
        .trim()
        .split('\n')
        .map((line) => line.split('=', 2))
      const { DATA_DIR: _, ...env } = Object.fromEntries(settings) as Record<string, string>
      const service = await startTestService({ env })
      place = { folder, service, http: await freePort(), https: await freePort() }
      const { args, env: more } = proxy.prepare(place)
      child = spawn(proxy.program, args, { stdio: 'ignore', env: { ...process.env, ...more } })
      for (let tries = 0; ; tries += 1) {
        const answer = await ask('https://pages.example/healthz').catch((error: unknown) => error)
        if (!(answer instanceof Error)) break
        if (tries === 100) throw answer
        await delay(50)
      }
    })
    after(async () => {
      child?.kill('SIGTERM')
      if (child !== undefined && child.exitCode === null) await new Promise((resolve) => child?.once('exit', resolve))
      await place?.service.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    it('answers every path as the service does', async () => {
      const { key } = place.service
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
        const direct = await curl([
          '-H',
          'Host: demo.sites.test',
          `http://127.0.0.1:${place.service.server.port}${target}`,
        ])
        const through = await ask(
          `https://demo.sites.test${target}`,
          '-H',
          'X-Forwarded-Host: evil.example',
          '-H',
          'X-Forwarded-Proto: gopher',
        )
        assert.deepEqual(through, direct, target)
      }
    })

    it('accepts a page as large as the service does, and serves it', async () => {
      const file = join(folder, 'large.html')
      writeFileSync(file, '<p>large</p>'.repeat(800_000))
      const headers = ['-H', `Authorization: Bearer ${place.service.key}`, '-H', 'Content-Type: text/html']
      const publish = await ask('https://pages.example/api/v1/pages?path=/large', ...headers, '-T', file)
      assert.equal(publish.status, 201)
      assert.equal((await ask('https://demo.sites.test/large')).body.length, 9_600_000)
    })

    it('serves the past of a site under the same certificate', async () => {
      const api = place.service.api()
      const { body } = await api.get(`/sites/${place.service.site.id}/commits?limit=1`).expect(200)
      const [commit] = (body as { data: { id: string }[] }).data
      const made = await api.post(`/sites/${place.service.site.id}/links`).send({ commit: commit?.id }).expect(201)
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
