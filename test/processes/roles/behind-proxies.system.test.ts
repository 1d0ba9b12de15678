// Two roles behind the proxies of deploy/roles: which role answers, and the effect on visitors while a process is gone or frozen.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { clientOf, put } from '../../scenarios/client.js'
import { endProcesses, makeKey, serve, type ServeProcess } from '../../scenarios/serve-process.js'
import { freePort } from '../../servers/ports.js'
import { PROXIES, type Proxy, startProxy } from '../../servers/proxies.js'
import { until } from '../../support/within.js'
import { type Answer, createSite } from './visits.js'

const ENV = {
  BASE_URL: 'https://pages.example',
  SITE_DOMAIN: 'sites.test',
  TRUSTED_PROXIES: '127.0.0.1,::1',
  KEEP_ALIVE_SECONDS: '75',
}
const VISITS = 10

for (const terminator of PROXIES) {
  describe(`two roles behind ${terminator.name}, set up as in deploy/roles,`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-roles-'))
    const dataDir = join(folder, 'data')
    const ports = { api: 0, sites: [0, 0] as [number, number] }
    const sites: ServeProcess[] = []
    let api: ServeProcess
    let proxy: Proxy | undefined
    let key: string
    let siteId: string

    before(async () => {
      ports.api = await freePort()
      ports.sites = [await freePort(), await freePort()]
      api = await serve({ dataDir, env: { ...ENV, PORT: String(ports.api) }, args: ['--role', 'api'] })
      for (const port of ports.sites) sites.push(await startSites(port))
      key = await makeKey(dataDir, 'admin')
      const place = join(folder, 'proxy')
      mkdirSync(place)
      proxy = await startProxy(terminator, { folder: place, servicePort: ports, baseHost: 'pages.example' })
      assert.ok(proxy, `${terminator.program} is not there: apt-get install ${terminator.name.toLowerCase()}`)
      const client = clientOf(`http://127.0.0.1:${ports.api}`, key)
      siteId = await createSite(client, 'made')
      await put(client, '/', 'home', siteId)
      await client.patch(`/sites/${siteId}`).send({ search: true, markdown: true, publicHistory: true }).expect(200)
    })
    after(async () => {
      await proxy?.stop()
      await endProcesses(folder)
    })

    const startSites = (port: number) =>
      serve({ dataDir, env: { ...ENV, PORT: String(port) }, args: ['--role', 'sites'] })

    async function ask(host: string, path: string, method = 'GET', body = ''): Promise<Answer> {
      const headers = { Host: host, 'Content-Type': 'text/html', Authorization: `Bearer ${key}` }
      const options = { port: proxy?.https, path, method, headers, servername: host, rejectUnauthorized: false }
      const sent = request({ ...options, agent: false }).end(body)
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      return { status: response.statusCode ?? 0, body: await text(response) }
    }

    const statusOf = async (host: string, path: string) => (await ask(host, path)).status

    it('answer every kind of request', async () => {
      assert.equal((await ask('pages.example', '/api/v1/pages?path=/new', 'PUT', 'new')).status, 201)
      assert.equal((await ask('demo.sites.test', '/new')).body, 'new')
      assert.equal(await statusOf('pages.example', '/readyz'), 200)
      for (const path of ['/', '/_search?q=home', '/sitemap.xml', '/llms.txt', '/robots.txt', '/index.md'])
        assert.equal(await statusOf('made.sites.test', path), 200, path)
      assert.equal(await statusOf(`preview--${'0'.repeat(32)}.sites.test`, '/'), 410)
      const dry = await ask('pages.example', '/api/v1/pages?path=/new&dryRun=true', 'PUT', 'drafted')
      const [, url = ''] = /"previewUrl":"([^"]+)"/.exec(dry.body) ?? []
      const { host, pathname } = new URL(url)
      assert.equal((await ask(host, pathname)).body, 'drafted')
      assert.equal((await ask('made.sites.test', '/', 'POST', 'x')).status, 405)
    })

    it('forward requests that sites cannot answer to api', async () => {
      assert.equal(await statusOf('made.sites.test', '/sitemap-1.xml'), 404)
    })

    it('show no failure to visitors while a process with the role sites is gone, or all are', async () => {
      sites[0]?.signal('SIGKILL')
      await sites[0]?.ended
      for (let i = 0; i < VISITS; i++) assert.equal(await statusOf('made.sites.test', '/'), 200)
      sites[1]?.signal('SIGKILL')
      await sites[1]?.ended
      for (let i = 0; i < VISITS; i++) assert.equal(await statusOf('made.sites.test', '/'), 200)
      for (const [at, port] of ports.sites.entries()) sites[at] = await startSites(port)
    })

    it('show no failure to visitors while api is killed, or after another one has started', async () => {
      api.signal('SIGKILL')
      await api.ended
      await until(
        () => statusOf('made.sites.test', '/'),
        (status) => status === 200,
      )
      for (let i = 0; i < VISITS; i++) assert.equal(await statusOf('made.sites.test', '/'), 200)
      assert.ok((await statusOf('pages.example', '/readyz')) >= 502)
      api = await serve({ dataDir, env: { ...ENV, PORT: String(ports.api) } })
      assert.equal((await ask('pages.example', '/api/v1/pages?path=/new', 'PUT', 'newer')).status, 200)
      assert.equal((await ask('demo.sites.test', '/new')).body, 'newer')
    })
  })
}
