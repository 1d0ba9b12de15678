import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { after, before, describe, it } from 'mocha'
import { fieldsFor } from '../../../src/repository/resolution/header-fields.js'
import { resolve } from '../../../src/repository/resolution/resolution.js'
import { parseHeaders } from '../../../src/model/rules/headers-file.js'
import type { Snapshot } from '../../../src/repository/reading/snapshot.js'
import { anyPath, likelyPath } from '../../model/paths/arbitrary-path.js'
import { Hosting } from '../../protocols/host/hosting.js'
import { createSnapshots, ORIGIN } from '../../protocols/host/trees.js'

/** Examples that others document are in ../scenarios/documented. */
interface Row {
  rules: string
  redirects?: string
  /** The fields of the answer to each target. */
  answers: Record<string, Record<string, string>>
}

const FILES = ['index.html', 'about.html', 'img/a.jpg', 'img/a.png', '404.html', 'movies/up.html', 'shop/index.html']
const DENY = { 'x-frame-options': 'DENY' }

const ROWS: Record<string, Row> = {
  'fields said twice are joined by a comma': {
    rules: '/*\n  cache-control: max-age=0\n  cache-control: no-cache\n/about\n  Cache-Control: no-store',
    answers: {
      '/': { 'cache-control': 'max-age=0, no-cache' },
      '/about': { 'cache-control': 'max-age=0, no-cache, no-store' },
    },
  },
  'a request has the fields of all rules that match': {
    rules: '/about\n  X-Frame-Options: DENY\n/img/*\n  X-Robots-Tag: nosnippet\n/*\n  X-Robots-Tag: noindex',
    answers: {
      '/about': { ...DENY, 'x-robots-tag': 'noindex' },
      '/img/a.jpg': { 'x-robots-tag': 'nosnippet, noindex' },
    },
  },
  'placeholders and splats stand in values': {
    rules: '/movies/:title\n  x-movie-name: You are watching ":title"\n/img/*\n  X-Path: :splat, :other',
    answers: {
      '/movies/up': { 'x-movie-name': 'You are watching "up"' },
      '/img/a.jpg': { 'x-path': 'a.jpg, :other' },
    },
  },
  'a page has the fields of both forms of its path, at either': {
    rules: '/about\n  X-A: 1\n/about.html\n  X-B: 2\n/shop/index.html\n  X-C: 3',
    answers: {
      '/about': { 'x-a': '1', 'x-b': '2' },
      '/about.html': { 'x-a': '1', 'x-b': '2', link: '</about>; rel="canonical"' },
      '/shop/': { 'x-c': '3' },
    },
  },
  'a canonical link stands before links of the site': {
    rules: '/*\n  Link: </style.css>; rel=preload',
    answers: {
      '/about': { link: '</style.css>; rel=preload' },
      '/about.html': { link: '</about>; rel="canonical", </style.css>; rel=preload' },
    },
  },
  'the page for what is not there has the fields of the path that was asked for': {
    rules: '/none\n  X-A: 1\n/404\n  X-B: 2',
    answers: { '/none': { 'x-a': '1' } },
  },
  'no answer with 404 or 410 has the caching of the site': {
    rules: '/*\n  Cache-Control: max-age=31536000, immutable\n  Expires: 0\n  Pragma: x\n  X-A: 1',
    redirects: '/gone /about 410\n/lost /about 404\n/about.html /about 410!\n/no-page /none 200',
    answers: Object.fromEntries(
      ['/none', '/none.js', '/gone', '/lost', '/about.html', '/no-page'].map((target) => [target, { 'x-a': '1' }]),
    ),
  },
  'a page in place has what is said of its file, and the other fields of the path that was asked for': {
    rules: [
      '/app/*\n  Cache-Control: immutable\n  Content-Type: text/javascript\n  X-A: :splat\n  ! X-B',
      '/about\n  Cache-Control: no-cache\n  X-B: 2',
      '/img/*\n  ! Cache-Control\n  X-C: 3',
    ].join('\n'),
    redirects: '/app/* /about 200\n/img/* /about.html 200\n/folder/* /shop 200',
    answers: {
      '/app/one.js': { 'cache-control': 'no-cache', 'x-a': 'one.js', 'x-b': '2' },
      '/img/none': { 'cache-control': 'no-cache', 'x-b': '2', 'x-c': '3' },
      '/folder/x': {},
    },
  },
  'a path that cannot be decoded has the fields of its rules': {
    rules: '/docs/*\n  X-A: :splat\n/img/:name\n  X-B: ":name"\n/caf%E9\n  X-C: 1',
    answers: {
      '/docs/a%2Fb/%E9%22': { 'x-a': 'a%2Fb/%E9%22' },
      '/img/%5c%22': { 'x-b': '"%5C%22"' },
      '/caf%e9': { 'x-c': '1' },
    },
  },
  'a type is said once, by the last rule': {
    rules: '/*\n  Content-Type: text/plain\n/img/*\n  Content-Type: image/x-own',
    answers: { '/img/a.jpg': { 'content-type': 'image/x-own' }, '/': { 'content-type': 'text/plain' } },
  },
  'fields past 8 KiB are left out': {
    rules: `/*\n${Array.from({ length: 9 }, (_, at) => `  X-${at}: ${'x'.repeat(1000)}\n`).join('')}`,
    answers: { '/': Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`x-${at}`, 'x'.repeat(1000)])) },
  },
}

describe('the rules of _headers', () => {
  const hosting = new Hosting()
  let snapshots: Map<string, Snapshot>

  before(async () => {
    const files = Object.fromEntries(FILES.map((name) => [name, name]))
    const trees = Object.values(ROWS).map(({ rules, redirects = '' }) => ({
      ...files,
      _headers: rules,
      _redirects: redirects,
    }))
    const made = await createSnapshots(hosting, 'rules', trees)
    snapshots = new Map(Object.keys(ROWS).map((name, at) => [name, made[at]!]))
    await hosting.createSite('demo', {
      ...files,
      _headers: '/*\n  X-Frame-Options: DENY\n  ETag: "x"\n',
      _redirects: '/a /about',
    })
    await hosting.start()
  })
  after(() => hosting.stop())

  for (const [name, { answers }] of Object.entries(ROWS)) {
    it(name, () => {
      const snapshot = snapshots.get(name)!
      for (const [target, fields] of Object.entries(answers)) {
        const found = resolve({ snapshot, origin: ORIGIN }, target)
        assert.ok(found.kind === 'file')
        assert.deepEqual(found.file.fields, fields, target)
      }
    })
  }

  it('apply to files only, and reach the visitor', async () => {
    const page = await hosting.ask('demo', '/about')
    assert.equal(page.headers['x-frame-options'], 'DENY')
    assert.notEqual(page.headers['etag'], '"x"')
    const moved = await hosting.ask('demo', '/a')
    assert.deepEqual(
      [moved.status, moved.headers['location'], moved.headers['x-frame-options']],
      [301, '/about', undefined],
    )
  })
})

describe('any _headers, for any path', () => {
  const name = fc.constantFrom(
    'X-A',
    'Set-Cookie',
    'ETag',
    'X-Frame-Options',
    'Content-Length',
    'Location',
    'Link',
    'X Y',
    '',
  )
  const value = fc.oneof(fc.constantFrom(':splat', '":a"', 'x; y', ':b:a', ''), fc.string({ maxLength: 8 }))
  const field = fc.oneof(
    fc.tuple(name, value).map(([first, second]) => `  ${first}: ${second}`),
    name.map((removed) => `  ! ${removed}`),
  )
  const block = fc
    .tuple(fc.constantFrom('/*', '/:a', '/a/*', '/:a/:b', '/*.txt', 'no path'), fc.array(field, { maxLength: 5 }))
    .map(([path, fields]) => [path, ...fields].join('\n'))
  const file = fc.array(block, { maxLength: 6 }).map((blocks) => blocks.join('\n'))

  it("adds only valid fields that are not the service's own, at most 8 KiB of them", () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(file, fc.oneof(anyPath, likelyPath), (text, path) => {
        const fields = fieldsFor(parseHeaders(Buffer.from(text)).rules, { own: [`/${path.replace(/^\//, '')}`] })
        for (const [sent, content] of Object.entries(fields)) {
          seen.add(sent)
          assert.match(content, /^[\t\x20-\x7e]*$/)
        }
        assert.ok(Object.entries(fields).flat().join('').length <= 8192)
      }),
      { numRuns: 1000 },
    )
    assert.deepEqual(seen, new Set(['x-a', 'x-frame-options', 'link']))
  })
})
