import assert from 'node:assert/strict'
import { startTestService, type TestService } from '../../support/service.js'
import { put, sendRaw } from '../client.js'

describe('the host name of a request', () => {
  let service: TestService
  const get = (target: string, ...hosts: string[]) => {
    const fields = hosts.map((host) => `Host: ${host}\r\n`).join('')
    return sendRaw(service.server.port, `GET ${target} HTTP/1.1\r\n${fields}Connection: close\r\n\r\n`)
  }

  before(async () => {
    service = await startTestService('hosts')
    await put(service.api(), '/healthz', 'a page, not the health')
  })
  after(() => service.stop())

  it('leads to the API by address, by localhost and by any name without a dot, with any port', async () => {
    const { port } = service.server
    for (const host of [
      '127.0.0.1',
      `127.0.0.1:${port}`,
      'localhost',
      `localhost:${port}`,
      'LOCALHOST:1',
      '[::1]',
      'box',
    ]) {
      const { status, text } = await get('/healthz', host)
      assert.equal(status, 200, host)
      assert.match(text, /\{"status":"ok"\}/, host)
    }
  })

  it('leads to a site by its subdomain, with any port', async () => {
    for (const host of [
      'hosts.localhost',
      `hosts.localhost:${service.server.port}`,
      'Hosts.LOCALHOST:9',
      'hosts.localhost.',
    ]) {
      assert.match((await get('/healthz', host)).text, /a page, not the health$/, host)
    }
  })

  it('is answered 404 for other names', async () => {
    for (const host of ['nobody.localhost', 'a.hosts.localhost', 'example.org', 'hosts.localhost.example.org']) {
      assert.equal((await get('/healthz', host)).status, 404, host)
    }
  })

  it('is refused if it is malformed, missing or given twice', async () => {
    for (const host of [
      '',
      'a b',
      'hosts.localhost/',
      'user@localhost',
      'localhost:port',
      'localhost:1:2',
      '[::1',
      '..',
      'é',
    ]) {
      assert.equal((await get('/healthz', host)).status, 400, host)
    }
    assert.equal((await get('/healthz')).status, 400)
    assert.equal((await get('/healthz', 'localhost', 'hosts.localhost')).status, 400)
    assert.equal((await get('/healthz', 'localhost', 'localhost')).status, 400)
  })

  it('must equal the host of an absolute target', async () => {
    assert.equal((await get('http://localhost/healthz', 'localhost')).status, 200)
    assert.equal((await get('http://hosts.localhost/healthz', 'localhost')).status, 400)
  })

  it('is never taken from forwarding fields', async () => {
    const fields = 'Host: localhost\r\nX-Forwarded-Host: hosts.localhost\r\nForwarded: host=hosts.localhost\r\n'
    const { text } = await sendRaw(service.server.port, `GET /healthz HTTP/1.1\r\n${fields}Connection: close\r\n\r\n`)
    assert.match(text, /\{"status":"ok"\}/)
  })
})
