import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import { MALFORMED } from '../http/host-fields.js'
import { Hosting } from './hosting.js'

describe('the host router', () => {
  const hosting = new Hosting()

  before(async () => {
    await hosting.createSite('demo', { 'index.html': 'demo', 'a.html': 'page a' })
    await hosting.createSite('sick', { 'index.html': 'sick' })
    await hosting.start()
  })
  after(() => hosting.stop())

  const answers: [request: string, status: number, body?: string][] = [
    ['GET /a?b HTTP/1.1\r\nHost: demo.site.test', 200, 'page a'],
    ['GET /a HTTP/1.1\r\nHost: DEMO.site.test:9999', 200, 'page a'],
    ['GET /a HTTP/1.1\r\nHost: demo.site.test.', 200, 'page a'],
    ['GET /a HTTP/1.1\r\nHost: demo.site.test:', 200, 'page a'],
    ['GET http://demo.site.test/a HTTP/1.1\r\nHost: demo.site.test', 200, 'page a'],
    ['GET http://demo.site.test HTTP/1.1\r\nHost: demo.site.test', 200, 'demo'],
    ['GET /api/v1?x HTTP/1.1\r\nHost: localhost:1', 200, 'base GET /api/v1?x'],
    ['POST /api HTTP/1.1\r\nHost: 127.0.0.1', 200, 'base POST /api'],
    ['GET / HTTP/1.1\r\nHost: [::1]:8080', 200, 'base GET /'],
    ['GET / HTTP/1.1\r\nHost: anything', 200, 'base GET /'],
    ['GET http://localhost/api HTTP/1.1\r\nHost: localhost', 200, 'base GET /api'],
    ['OPTIONS * HTTP/1.1\r\nHost: localhost', 200, 'base OPTIONS *'],
    ['GET / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Host: demo.site.test', 200, 'base GET /'],
    ['GET /readyz HTTP/1.0', 200, 'base GET /readyz'],
    ['GET /readyz HTTP/1.0\r\nHost: a\r\nHost: b', 400],
    ['GET /readyz/ HTTP/1.0', 400],
    ['OPTIONS * HTTP/1.1\r\nHost: demo.site.test', 204],
    ['GET / HTTP/1.1\r\nHost: site.test', 404],
    ['GET / HTTP/1.1\r\nHost: a.demo.site.test', 404],
    ['GET / HTTP/1.1\r\nHost: demo.site.test.evil.test', 404],
    ['GET / HTTP/1.1\r\nHost: demo.site.test\r\nHost: demo.site.test', 400],
    ['GET / HTTP/1.1\r\nHost: localhost\r\nhost: demo.site.test', 400],
    ['GET / HTTP/1.1\r\nHost:', 400],
    ['GET / HTTP/1.0', 400],
    ['GET / HTTP/1.1\r\nHost: x@demo.site.test', 400],
    ['GET / HTTP/1.1\r\nHost: demo.site.test#.evil.test', 400],
    ['GET / HTTP/1.1\r\nHost: demo.site.test/../b', 400],
    ['GET / HTTP/1.1\r\nHost: demo..site.test', 400],
    ['GET / HTTP/1.1\r\nHost: demo.site.test, localhost', 400],
    ['GET http://localhost/ HTTP/1.1\r\nHost: demo.site.test', 400],
    ['GET ftp://demo.site.test/ HTTP/1.1\r\nHost: demo.site.test', 400],
  ]
  for (const [request, status, body] of answers) {
    it(`answers ${JSON.stringify(request)} with ${body ?? status}`, async () => {
      const answer = await hosting.send(`${request}\r\nConnection: close\r\n\r\n`)
      assert.equal(answer.status, status)
      if (body !== undefined) assert.equal(answer.body.toString(), body)
      else if (status !== 204) assert.match(answer.body.toString(), /^<!doctype html>/)
    })
  }

  it('refuses a request without a host', async () => {
    for (const field of MALFORMED) {
      // Spaces around a value are no part of it (RFC 9110 §5.5).
      if (field !== field.trim() && field.trim() !== '') continue
      const { status, body } = await hosting.send(`GET /a HTTP/1.1\r\nHost: ${field}\r\nConnection: close\r\n\r\n`)
      assert.equal(status, 400, field)
      assert.doesNotMatch(body.toString(), /page a|base/, field)
    }
  })

  const targets: [what: string, target: string, status: number][] = [
    ['of a page whose name has 2,048 characters', `/${'%F0%9F%98%80'.repeat(2048)}`, 404],
    ['of 2,000 folders', '/a'.repeat(2000), 404],
    ['of 2,100 folders', '/a'.repeat(2100), 414],
    ['of 33,000 characters', `/a?${'q'.repeat(33_000)}`, 414],
  ]
  for (const [what, target, status] of targets) {
    it(`answers a target ${what} with ${status}, only on a site`, async () => {
      assert.equal((await hosting.ask('demo', target)).status, status)
      const base = await hosting.send(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
      assert.equal(base.status, 200)
    })
  }

  const labels: [label: string, status: number][] = [
    ['demo', 200],
    ['DEMO', 200],
    ['www', 404],
    ['api', 404],
    ['demo-', 400],
    ['-demo', 400],
    ['xn--demo', 404],
    ['xn--dmo-bma', 404],
    ['de--mo', 404],
    ['demo_', 404],
    ['_demo', 404],
    ['d%65mo', 400],
    ['d\u00e9mo', 400],
    ['demo\u0000', 400],
    ['demo.', 400],
    ['.demo', 400],
    ['a'.repeat(40), 404],
    ['a'.repeat(63), 404],
    ['a'.repeat(64), 400],
    ['0123abc--demo', 404],
    ['0'.repeat(20) + '--demo', 404],
    ['link-' + 'a'.repeat(55), 404],
    ['link-', 400],
    ['constructor', 404],
    ['__proto__', 404],
  ]
  for (const [label, status] of labels) {
    it(`answers ${status} below the site domain at ${JSON.stringify(label.slice(0, 30))}`, async () => {
      assert.equal((await hosting.ask(label, '/a')).status, status)
    })
  }

  it('serves other sites while one cannot be read', async () => {
    rmSync(join(hosting.dataDir, 'sick.git', 'refs'), { recursive: true })
    const { status, headers } = await hosting.ask('sick', '/')
    assert.deepEqual([status, headers['retry-after']], [503, '60'])
    assert.equal((await hosting.ask('demo', '/')).status, 200)
  })
})
