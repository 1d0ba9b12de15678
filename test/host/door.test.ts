import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import { Hosting } from './hosting.js'

describe('the door', () => {
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
    ['GET http://demo.site.test/a HTTP/1.1\r\nHost: demo.site.test', 200, 'page a'],
    ['GET http://demo.site.test HTTP/1.1\r\nHost: demo.site.test', 200, 'demo'],
    ['GET /api/v1?x HTTP/1.1\r\nHost: localhost:1', 200, 'base GET /api/v1?x'],
    ['POST /api HTTP/1.1\r\nHost: 127.0.0.1', 200, 'base POST /api'],
    ['GET / HTTP/1.1\r\nHost: [::1]:8080', 200, 'base GET /'],
    ['GET / HTTP/1.1\r\nHost: anything', 200, 'base GET /'],
    ['GET http://localhost/api HTTP/1.1\r\nHost: localhost', 200, 'base GET /api'],
    ['OPTIONS * HTTP/1.1\r\nHost: localhost', 200, 'base OPTIONS *'],
    ['GET / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Host: demo.site.test', 200, 'base GET /'],
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

  it('keeps a site that cannot be read from harming another', async () => {
    rmSync(join(hosting.dataDir, 'sick.git', 'refs'), { recursive: true })
    const { status, headers } = await hosting.ask('sick', '/')
    assert.deepEqual([status, headers['retry-after']], [503, '60'])
    assert.equal((await hosting.ask('demo', '/')).status, 200)
  })
})
