import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { after, before, describe, it } from 'mocha'
import { type Answer, type Asked, askInTurn, Hosting } from '../hosting.js'
import { freePort } from '../../../servers/ports.js'

const NGINX = '/usr/sbin/nginx'
/** The commit time that `Hosting` gives, and so the time of nginx's files. */
const CHANGED_AT = 1_700_000_100
const date = (time: number) => new Date(time * 1000).toUTCString()
const PAGE = `<!doctype html>${'<p>A page that is worth compressing.</p>\n'.repeat(40)}`
const FILES: Record<string, string> = {
  'index.html': PAGE,
  'page.html': PAGE,
  'short.html': 'short',
  'empty.html': '',
  'docs/index.html': 'docs',
  'style.css': 'body { color: red }',
  'a b.txt': 'a space',
  'café.txt': 'an accent',
  '.well-known/security.txt': 'Contact:',
}

/** The representation that a visitor names; each server is sent its own entity tag. */
type Tag = 'same' | 'other' | 'weak' | 'any' | 'list'
interface Conditional {
  method: 'GET' | 'HEAD'
  target: string
  ifMatch?: Tag
  ifNoneMatch?: Tag
  ifModifiedSince?: number
  ifUnmodifiedSince?: number
  range?: string
  ifRange?: Tag | number
}

const tag = fc.constantFrom<Tag>('same', 'other', 'weak', 'any', 'list')
const time = fc.constantFrom(CHANGED_AT - 100, CHANGED_AT - 1, CHANGED_AT, CHANGED_AT + 1)
const position = fc.constantFrom('0', '1', '9', '10', '1638', '1639', '1640', '99999', '')
const range = fc
  .oneof(
    { weight: 8, arbitrary: fc.tuple(position, position).map(([first, last]) => `bytes=${first}-${last}`) },
    { weight: 1, arbitrary: fc.constantFrom('lines=0-9', 'bytes', 'bytes=a-b', 'bytes=-0') },
  )
  .filter((text) => text !== 'bytes=-')
const conditional: fc.Arbitrary<Conditional> = fc.record(
  {
    method: fc.constantFrom('GET', 'HEAD'),
    target: fc.constantFrom('/page.html', '/', '/docs/', '/short.html', '/none'),
    ifMatch: tag,
    ifNoneMatch: tag,
    ifModifiedSince: time,
    ifUnmodifiedSince: time,
    range,
    ifRange: fc.oneof(fc.constantFrom<Tag>('same', 'other', 'weak'), time),
  },
  { requiredKeys: ['method', 'target'] },
)

/** Intended differences from nginx. */
const MEANT: Record<string, (asked: Conditional) => boolean> = {
  'RFC 9110 §13.2.2: an If-Match is there, so the date of If-Unmodified-Since does not count': (asked) =>
    asked.ifMatch !== undefined && asked.ifUnmodifiedSince !== undefined,
  'RFC 9110 §13.1.3: an If-None-Match is there, so the date of If-Modified-Since does not count': (asked) =>
    asked.ifNoneMatch !== undefined && asked.ifModifiedSince !== undefined,
  'RFC 9110 §14.2: a Range has a meaning for GET alone': ({ method, range: asked }) =>
    method === 'HEAD' && asked !== undefined,
}

describe('a host, compared with nginx over the same files,', () => {
  const hosting = new Hosting()
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-nginx-'))
  let nginx: ChildProcess | undefined
  let port = 0

  before(async () => {
    assert.ok(existsSync(NGINX), `${NGINX} is not there: apt-get install nginx`)
    for (const [path, content] of Object.entries(FILES)) {
      const file = join(folder, 'site', path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      utimesSync(file, CHANGED_AT, CHANGED_AT)
    }
    port = await freePort()
    nginx = startNginx(folder, port)
    await hosting.createSite('demo', FILES)
    await hosting.start()
    for (let tries = 0; ; tries += 1) {
      const up = await askInTurn(port, 'demo.site.test', [get('/')]).catch((error: unknown) => error)
      if (!(up instanceof Error)) break
      if (tries === 100) throw up
      await delay(20)
    }
  })
  after(async () => {
    nginx?.kill('SIGKILL')
    await hosting.stop()
    rmSync(folder, { recursive: true })
  })

  const askBoth = async (requests: readonly Asked[], theirs = requests): Promise<[ours: Answer, theirs: Answer][]> => {
    const [answers, others] = await Promise.all([
      hosting.askInTurn('demo', requests),
      // nginx closes some connections that it said it would keep, after 412.
      askInTurn(port, 'demo.site.test', theirs.map(onOwnConnection)),
    ])
    return answers.map((answer, at) => [answer, others[at]!])
  }

  it('answers conditions and ranges as nginx does, except if the RFC requires otherwise', async () => {
    const plain = ['/page.html', '/', '/docs/', '/short.html', '/none'].map((target) => get(target))
    const tags = new Map(
      (await askBoth(plain)).map(([ours, theirs], at) => [
        plain[at]!.target,
        [ours.headers['etag'] ?? '"x"', theirs.headers['etag'] ?? '"x"'] as const,
      ]),
    )
    const cases = fc.sample(conditional, { numRuns: 1500, seed: 2 })
    const [ours, theirs] = [0, 1].map((side) => cases.map((asked) => requestOf(asked, tags.get(asked.target)![side]!)))
    const answers = await askBoth(ours!, theirs)
    const differing = new Set<string>()
    const statuses = new Set<number>()
    for (const [at, asked] of cases.entries()) {
      const [our, their] = answers[at]!.map(withoutName)
      const reasons = Object.keys(MEANT).filter((reason) => MEANT[reason]!(asked))
      if (reasons.length === 0) assert.deepEqual(our, their, JSON.stringify(asked))
      else if (reasons.length === 1 && our!.status !== their!.status) differing.add(reasons[0]!)
      if (reasons.length === 0) statuses.add(our!.status)
    }
    assert.deepEqual(
      [...statuses].toSorted((a, b) => a - b),
      [200, 206, 304, 404, 412, 416],
    )
    assert.deepEqual(differing, new Set(Object.keys(MEANT)), 'a difference that is meant is none')
  })

  it('negotiates gzip as nginx does, and sends the same page', async () => {
    const fields = [
      'gzip',
      'gzip, deflate',
      'deflate',
      'gzip;q=0',
      'gzip;q=0.5',
      'identity',
      'GZIP',
      'gzip;q=1.000',
      '',
    ]
    const requests = ['/page.html', '/short.html'].flatMap((target) =>
      fields.map((field) => ({ ...get(target), headers: { 'accept-encoding': field } })),
    )
    for (const [at, [ours, theirs]] of (await askBoth(requests)).entries()) {
      const said = JSON.stringify(requests[at])
      for (const name of ['content-encoding', 'content-type'])
        assert.equal(ours.headers[name], theirs.headers[name], said)
      const unpack = ({ headers, body }: Answer) =>
        String(headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body)
      assert.equal(unpack(ours), unpack(theirs), said)
      if (theirs.headers['vary'] !== undefined) assert.equal(ours.headers['vary'], theirs.headers['vary'], said)
    }
  })

  const targets = [
    '/',
    '/?q',
    '/docs/',
    '/docs/index.html',
    '/style.css',
    '/style.css?v=1',
    '/a%20b.txt',
    '/caf%C3%A9.txt',
  ]
  const lacking = ['/none', '/none/', '/docs/none', '/DOCS/', '/Style.css', '/style.css/', '/style.css/x', '/docs/%20']
  it('finds and misses the same files as nginx', async () => {
    for (const method of ['GET', 'HEAD', 'DELETE', 'POST', 'PATCH']) {
      const requests = [...targets, ...lacking, '/.well-known/security.txt'].map((target) => ({
        ...get(target),
        method,
      }))
      for (const [at, [ours, theirs]] of (await askBoth(requests)).entries()) {
        const said = `${method} ${requests[at]!.target}`
        const isRead = method === 'GET' || method === 'HEAD'
        // nginx answers 404 for a missing file before it looks at the method.
        if (!isRead && theirs.status === 404) assert.equal(ours.status, 405, said)
        else assert.equal(ours.status, theirs.status, said)
        if (isRead && theirs.status === 200) assert.deepEqual(essence(ours), essence(theirs), said)
      }
    }
  })

  const differences: [target: string, ours: string, theirs: string, reason: string][] = [
    [
      '/docs',
      '308 /docs/',
      '301',
      'a 308 keeps the method, and the location is a path: no proxy in front can be named wrong',
    ],
    ['/page', '200', '404', 'clean URLs'],
    ['//style.css', '308 /style.css', '200', 'one URL for each file'],
    ['/style%2Ecss', '308 /style.css', '200', 'one URL for each file'],
    ['/docs/../style.css', '404', '200', 'dots climb nowhere: clients resolve them before they ask'],
    ['/docs%2Findex.html', '404', '200', 'an escaped slash is no slash (RFC 3986 §2.2)'],
    ['/a%00', '404', '400', 'nothing has such a name'],
  ]
  for (const [target, ours, theirs, reason] of differences) {
    it(`answers ${target} with ${ours}, nginx with ${theirs}: ${reason}`, async () => {
      const [[our, their] = []] = await askBoth([get(target)])
      assert.equal([our?.status, our?.headers['location']].join(' ').trim(), ours)
      assert.equal(String(their?.status), theirs)
    })
  }
})

const get = (target: string): Asked => ({ method: 'GET', target, headers: {} })

function onOwnConnection(asked: Asked): Asked {
  return { ...asked, headers: { ...asked.headers, Connection: 'close' } }
}

function requestOf(asked: Conditional, own: string): Asked {
  const tags: Record<Tag, string> = { same: own, other: '"x"', weak: `W/${own}`, any: '*', list: `"x", ${own}` }
  const value = (of: Tag | number | undefined) => (typeof of === 'number' ? date(of) : of && tags[of])
  const fields = {
    'If-Match': value(asked.ifMatch),
    'If-None-Match': value(asked.ifNoneMatch),
    'If-Modified-Since': value(asked.ifModifiedSince),
    'If-Unmodified-Since': value(asked.ifUnmodifiedSince),
    Range: asked.range,
    'If-Range': value(asked.ifRange),
  }
  const headers = Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  )
  return { method: asked.method, target: asked.target, headers }
}

/** Returns the parts that both should answer: not the page of an error, nor the fields that only we have. */
function withoutName({ status, headers, body }: Answer) {
  const isFile = status === 200 || status === 206
  const named = ['content-range', ...(isFile ? ['content-type', 'content-length', 'last-modified'] : [])]
  return {
    status,
    ...Object.fromEntries(named.map((name) => [name, headers[name]])),
    body: isFile ? body.toString() : '',
  }
}

function essence({ headers, body }: Answer) {
  return [headers['content-length'], headers['content-type'], body.toString()]
}

function startNginx(folder: string, port: number): ChildProcess {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join('\n')
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log; events {}
    http {
      access_log off; ${temporary} charset utf-8; charset_types text/html text/css text/plain;
      types { text/html html; text/css css; text/plain txt; }
      if_modified_since before; gzip on; gzip_vary on; gzip_min_length 256; keepalive_requests 10000;
      server { listen 127.0.0.1:${port}; root ${folder}/site; }
    }`,
  )
  return spawn(NGINX, ['-e', join(folder, 'log'), '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
}
