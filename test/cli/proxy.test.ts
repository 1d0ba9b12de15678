// The command line behind a proxy, as in a company's network.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as ask, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Finished, MAIN, run } from '../scenarios/serve-process.js'
import { startTestService, type TestService } from '../support/service.js'

const FAR = 'http://pages.example.test'
const CLI = 'dist/cli-package/palimpsest.js'

describe('the command line behind a proxy', () => {
  let service: TestService
  let folder: string
  let proxy: Server
  let proxyUrl: string
  /** Requests that reached the proxy. */
  let asked: string[]

  before(async () => {
    service = await startTestService()
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-proxy-'))
    writeFileSync(join(folder, 'page.html'), '<title>Through a proxy</title>')
    proxy = createServer((request, response) => {
      const { pathname, search } = new URL(request.url ?? '')
      asked.push(`${request.method} ${request.url?.split('?')[0]}`)
      const { method, headers } = request
      const url = service.origin + pathname + search
      const passed = ask(url, { method, headers: { ...headers, host: new URL(service.origin).host } }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      request.pipe(passed)
    }).on('connect', (request, socket) => {
      asked.push(`CONNECT ${request.url}`)
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  })
  beforeEach(() => (asked = []))
  after(async () => {
    proxy.close()
    proxy.closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
    await service.stop()
  })

  const palimpsest = (env: Record<string, string>, args: string[], program = MAIN): Promise<Finished> =>
    run(process.execPath, [program.startsWith('/') ? program : join(process.cwd(), program), ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, PALIMPSEST_TOKEN: service.key, PALIMPSEST_URL: FAR, ...env },
    })

  for (const program of [MAIN, CLI])
    for (const name of ['HTTP_PROXY', 'http_proxy'])
      it(`publishes through the proxy of ${name} with ${program.split('/').at(-2)}`, async () => {
        const { code, stderr } = await palimpsest({ [name]: proxyUrl }, ['publish', 'page.html'], program)
        assert.equal(code, 0, stderr)
        assert.ok(asked.includes(`POST ${FAR}/api/v1/batch`), asked.join('\n'))
        await service.visit('/page').expect(200)
      })

  it('takes a proxy without http:// before it', async () => {
    const { code, stderr } = await palimpsest({ HTTP_PROXY: new URL(proxyUrl).host }, ['pages'])
    assert.equal(code, 0, stderr)
  })

  it('asks for a tunnel where the service speaks TLS, and names the proxy that refuses it', async () => {
    const env = { HTTPS_PROXY: proxyUrl, PALIMPSEST_URL: 'https://pages.example.test' }
    const { code, stderr } = await palimpsest(env, ['pages'])
    assert.equal(code, 3)
    assert.ok(asked.includes('CONNECT pages.example.test:443'), asked.join('\n'))
    assert.match(stderr, /The proxy does not lead to https:\/\/pages\.example\.test: it answered 403\./)
    assert.ok(stderr.includes(`The proxy is ${proxyUrl} (HTTPS_PROXY), unless NO_PROXY names the host.`), stderr)
  })

  it('names a proxy that does not answer, without its password', async () => {
    const env = { https_proxy: 'http://ada:secret@127.0.0.1:1', PALIMPSEST_URL: 'https://pages.example.test' }
    const { code, stderr } = await palimpsest(env, ['pages'])
    assert.equal(code, 3)
    assert.match(stderr, /The proxy is http:\/\/127\.0\.0\.1:1 \(https_proxy\)/)
    assert.doesNotMatch(stderr, /secret/)
  })

  for (const [what, env] of [
    ['NO_PROXY names', { NO_PROXY: 'other.test, .example.test' }],
    ['no_proxy excepts with all others', { no_proxy: '*' }],
  ] as const)
    it(`goes to a host that ${what} without it`, async () => {
      const { code } = await palimpsest({ HTTP_PROXY: proxyUrl, ...env }, ['pages'])
      assert.deepEqual([code, asked], [3, []])
    })

  it('goes to this machine without it', async () => {
    const { code, stderr } = await palimpsest({ http_proxy: 'http://127.0.0.1:1', PALIMPSEST_URL: service.origin }, [
      'pages',
    ])
    assert.equal(code, 0, stderr)
  })

  it('says what is wrong with a variable that names no proxy, and does not show it', async () => {
    const { code, stderr } = await palimpsest({ HTTP_PROXY: 'socks5://ada:secret@proxy:1080' }, ['pages'])
    assert.equal(code, 2)
    assert.match(stderr, /HTTP_PROXY names no http or https proxy/)
    assert.doesNotMatch(stderr, /secret/)
  })
})
