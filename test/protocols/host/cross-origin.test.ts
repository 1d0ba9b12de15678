import assert from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { Hosting } from './hosting.js'

const HEADERS = `/*
  Access-Control-Allow-Origin: *
  Timing-Allow-Origin: *
  Cross-Origin-Resource-Policy: cross-origin
  Cross-Origin-Opener-Policy: same-origin
  X-Frame-Options: DENY
  Cache-Control: max-age=60
/data/*
  Access-Control-Allow-Headers: Content-Type
/shown
  Access-Control-Max-Age: 60
`
const FIELDS = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'timing-allow-origin': '*',
}
const WITH_HEADERS = { ...FIELDS, 'access-control-allow-headers': 'Content-Type' }
const WITH_AGE = { ...FIELDS, 'access-control-max-age': '60' }

/** The fields of the answer that matter to requests from other origins, by target. */
const REDIRECTED: Record<string, object> = {
  '/docs': FIELDS,
  '/docs/index': FIELDS,
  '/%61bout': FIELDS,
  '/old': FIELDS,
  '/away': FIELDS,
  '/data/moved': WITH_HEADERS,
  '/data/x%2Ejson': WITH_HEADERS,
}
const PREFLIGHTED: Record<string, object> = {
  ...REDIRECTED,
  '/': FIELDS,
  '/data/x.json': WITH_HEADERS,
  '/data/none': WITH_HEADERS,
  '/data/a%2Fb': WITH_HEADERS,
  '/in-place': WITH_AGE,
  '/data/in-place': { ...WITH_HEADERS, ...WITH_AGE },
  '/gone': FIELDS,
}

describe('requests from pages of other origins', () => {
  const hosting = new Hosting()

  before(async () => {
    await hosting.createSite('demo', {
      'index.html': 'start',
      'about.html': 'about',
      'shown.html': 'shown',
      'docs/index.html': 'docs',
      'data/x.json': '{}',
      _headers: HEADERS,
      _redirects:
        '/old /about\n/away https://example.org/ 302\n/data/moved /data/x.json 307\n/in-place /shown 200\n' +
        '/data/in-place /shown 200\n/gone /about 410',
    })
    await hosting.createSite('plain', { 'index.html': 'start' })
    await hosting.start()
  })
  after(() => hosting.stop())

  for (const [target, expected] of Object.entries(REDIRECTED)) {
    it(`follow the redirect of ${target}: it has the fields of its path, and no others of the rules`, async () => {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await hosting.ask('demo', target, { Origin: 'https://a.example' }, method)
        assert.ok(status >= 300 && status < 400, `${status}`)
        assert.deepEqual(crossOrigin(headers), expected)
        assert.equal(headers['x-frame-options'], undefined)
        assert.equal(headers['cache-control'], 'public, max-age=0, must-revalidate')
      }
    })
  }

  for (const [target, expected] of Object.entries(PREFLIGHTED)) {
    it(`may be announced for ${target}: the answer has the fields of its path, and no others of the rules`, async () => {
      const asked = { Origin: 'https://a.example', 'Access-Control-Request-Method': 'GET' }
      const { status, headers } = await hosting.ask('demo', target, asked, 'OPTIONS')
      assert.deepEqual([status, headers['allow']], [204, 'GET, HEAD, OPTIONS'])
      assert.deepEqual(crossOrigin(headers), expected)
      assert.deepEqual(
        [headers['x-frame-options'], headers['cache-control'], headers['location']],
        [undefined, undefined, undefined],
      )
    })
  }

  it('can read that something is missing, and no cache keeps that', async () => {
    for (const target of ['/data/none', '/data/a%2Fb']) {
      const { status, headers } = await hosting.ask('demo', target)
      assert.deepEqual([status, headers['cache-control']], [404, 'no-store'])
      assert.deepEqual(crossOrigin(headers), WITH_HEADERS)
    }
  })

  it('may ask for the methods of the whole server', async () => {
    assert.equal((await hosting.ask('demo', '*', {}, 'OPTIONS')).status, 204)
  })

  it('get no such field from a site without rules', async () => {
    for (const target of ['/', '/none']) {
      const { status, headers } = await hosting.ask('plain', target, {}, 'OPTIONS')
      assert.deepEqual([status, headers['allow'], crossOrigin(headers)], [204, 'GET, HEAD, OPTIONS', {}])
    }
  })
})

function crossOrigin(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kinds = /^(?:access-control-|timing-allow-origin$|cross-origin-)/
  return Object.fromEntries(Object.entries(headers).filter(([name]) => kinds.test(name)))
}
