import assert from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type Answer, Hosting } from '../hosting.js'

const PAGE = `<!doctype html>${'<p>A page that is worth compressing.</p>\n'.repeat(40)}`
/** The commit time that `Hosting` gives. */
const CHANGED_AT = 1_700_000_100
const date = (time: number) => new Date(time * 1000).toUTCString()

/** The representation that a tag or a date of a condition names, relative to the one that would be sent whole. */
type Validator = 'same' | 'other' | 'weak' | 'identity'
const VALIDATORS: readonly Validator[] = ['same', 'other', 'weak', 'identity']
const TIMES = [CHANGED_AT - 1, CHANGED_AT] as const
const CODINGS = ['identity', 'br', 'gzip'] as const

interface Case {
  method: 'GET' | 'HEAD'
  coding: (typeof CODINGS)[number]
  ifMatch?: Validator
  ifUnmodifiedSince?: number
  ifNoneMatch?: Validator
  ifModifiedSince?: number
  range?: 'bytes=0-9' | 'bytes=99999-' | 'bytes=9-0'
  ifRange?: Validator | number
}

/** RFC 9110 §13.2.2, step by step; a range is of the identity coding. */
function expectedStatus(asked: Case): number {
  const isRange = asked.range !== undefined && asked.method === 'GET'
  const selected = isRange ? 'identity' : asked.coding
  const strongly = (validator: Validator) =>
    (validator === 'same' && selected === asked.coding) || (validator === 'identity' && selected === 'identity')
  const weakly = (validator: Validator) => strongly(validator) || (validator === 'weak' && selected === asked.coding)
  // 1 and 2
  if (asked.ifMatch !== undefined) {
    if (!strongly(asked.ifMatch)) return 412
  } else if (asked.ifUnmodifiedSince !== undefined && CHANGED_AT > asked.ifUnmodifiedSince) return 412
  // 3 and 4
  if (asked.ifNoneMatch !== undefined) {
    if (weakly(asked.ifNoneMatch)) return 304
  } else if (asked.ifModifiedSince !== undefined && CHANGED_AT <= asked.ifModifiedSince) return 304
  // 5
  if (!isRange || asked.range === 'bytes=9-0') return 200
  const { ifRange } = asked
  const isFresh = ifRange === undefined || (typeof ifRange === 'number' ? ifRange === CHANGED_AT : strongly(ifRange))
  if (!isFresh) return 200
  return asked.range === 'bytes=99999-' ? 416 : 206
}

function* allCases(): Generator<Case> {
  const some = <T>(values: readonly T[]): (T | undefined)[] => [undefined, ...values]
  for (const method of ['GET', 'HEAD'] as const)
    for (const coding of method === 'GET' ? CODINGS : (['br'] as const))
      for (const [ifMatch, ifUnmodifiedSince] of either(VALIDATORS, TIMES))
        for (const [ifNoneMatch, ifModifiedSince] of either(VALIDATORS, TIMES))
          for (const range of some(['bytes=0-9', 'bytes=99999-', 'bytes=9-0'] as const))
            for (const ifRange of range === 'bytes=0-9' ? some([...VALIDATORS, ...TIMES]) : [undefined])
              yield without({
                method,
                coding,
                ifMatch,
                ifUnmodifiedSince,
                ifNoneMatch,
                ifModifiedSince,
                range,
                ifRange,
              })
}

/** Neither, a tag, a date, or a tag with a date that says the opposite and does not count. */
function either(tags: readonly Validator[], times: readonly number[]): [Validator | undefined, number | undefined][] {
  const [early = 0, late = 0] = times
  return [
    [undefined, undefined],
    ...tags.map((tag): [Validator, undefined] => [tag, undefined]),
    ...times.map((time): [undefined, number] => [undefined, time]),
    ['same', early],
    ['other', late],
  ]
}

function without(asked: { [K in keyof Case]: Case[K] | undefined }): Case {
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as unknown as Case
}

describe('a host, given conditions, ranges, HEAD and codings together,', () => {
  const hosting = new Hosting()
  let oid = ''
  const whole = new Map<string, Answer>()

  before(async () => {
    await hosting.createSite('demo', { 'page.html': PAGE, 'film.mp4': 'x'.repeat(2000), '404.html': PAGE })
    await hosting.start()
    oid = hosting.git('demo', ['rev-parse', 'main:page.html'])
    const asked = CODINGS.map((coding) => ({ method: 'GET', target: '/page', headers: { 'Accept-Encoding': coding } }))
    for (const [at, answer] of (await hosting.askInTurn('demo', asked)).entries()) whole.set(CODINGS[at]!, answer)
  })
  after(() => hosting.stop())

  function fieldsOf(asked: Case): Record<string, string> {
    const same = asked.coding === 'identity' ? `"${oid}"` : `"${oid}-${asked.coding}"`
    const tags = { same, other: '"x"', weak: `W/${same}`, identity: `"${oid}"` }
    const value = (of: Validator | number | undefined) =>
      of === undefined ? undefined : typeof of === 'number' ? date(of) : tags[of]
    const fields = {
      'Accept-Encoding': asked.coding,
      'If-Match': value(asked.ifMatch),
      'If-Unmodified-Since': value(asked.ifUnmodifiedSince),
      'If-None-Match': value(asked.ifNoneMatch),
      'If-Modified-Since': value(asked.ifModifiedSince),
      Range: asked.range,
      'If-Range': value(asked.ifRange),
    }
    return Object.fromEntries(
      Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
    )
  }

  it('sends the same page in each coding, each with its own entity tag', () => {
    const [identity, br, gzip] = CODINGS.map((coding) => whole.get(coding)!)
    assert.equal(identity!.body.toString(), PAGE)
    assert.equal(brotliDecompressSync(br!.body).toString(), PAGE)
    assert.equal(gunzipSync(gzip!.body).toString(), PAGE)
    assert.equal(new Set([identity, br, gzip].map((answer) => answer!.headers['etag'])).size, 3)
    for (const [coding, { headers }] of whole) {
      assert.equal(headers['vary'], 'Accept-Encoding')
      assert.equal(headers['content-encoding'], coding === 'identity' ? undefined : coding)
      assert.equal(headers['last-modified'], date(CHANGED_AT))
      assert.match(headers['cache-tag'] ?? '', /^site-.*, page-[0-9a-f-]{36}$/)
    }
  })

  it('answers every combination by RFC 9110 §13.2.2', async () => {
    const answers = await hosting.askInTurn(
      'demo',
      [...allCases()].map((asked) => ({
        method: asked.method,
        target: '/page',
        headers: fieldsOf(asked),
      })),
    )
    const seen = new Map<number, number>()
    for (const [at, asked] of [...allCases()].entries()) {
      const { status, headers, body } = answers[at]!
      const said = JSON.stringify(asked)
      assert.equal(status, expectedStatus(asked), said)
      seen.set(status, (seen.get(status) ?? 0) + 1)
      const { headers: fields, body: bytes } = whole.get(asked.coding)!
      if (status === 200) {
        assert.deepEqual({ ...headers, date: '' }, { ...fields, date: '' }, said)
        assert.deepEqual(body, asked.method === 'HEAD' ? Buffer.alloc(0) : bytes, said)
      }
      if (status === 206) {
        assert.equal(body.toString(), PAGE.slice(0, 10), said)
        assert.equal(headers['content-range'], `bytes 0-9/${PAGE.length}`, said)
        assert.equal(headers['etag'], `"${oid}"`, said)
      }
      if (status === 304) {
        assert.equal(body.length, 0, said)
        for (const name of ['vary', 'cache-control', 'cache-tag']) assert.equal(headers[name], fields[name], said)
        assert.equal(headers['etag'], asked.range && asked.method === 'GET' ? `"${oid}"` : fields['etag'], said)
      }
      if (status === 416) assert.equal(headers['content-range'], `bytes */${PAGE.length}`, said)
    }
    for (const status of [200, 206, 304, 412, 416])
      assert.ok((seen.get(status) ?? 0) > 10, `${status}: ${seen.get(status)}`)
  })

  it('does not compress an already compressed file, and sends no Vary for it', async () => {
    const { headers } = await hosting.ask('demo', '/film.mp4', { 'Accept-Encoding': 'br, gzip' })
    assert.deepEqual(
      [headers['content-encoding'], headers['vary'], headers['content-length']],
      [undefined, undefined, '2000'],
    )
  })

  it('ignores conditions and ranges if the answer is not 200', async () => {
    const fields = { 'If-None-Match': '*', 'If-Match': '"x"', Range: 'bytes=0-9', 'Accept-Encoding': 'br' }
    const { status, headers, body } = await hosting.ask('demo', '/none', fields)
    assert.deepEqual([status, headers['etag'], headers['content-encoding']], [404, undefined, 'br'])
    assert.equal(brotliDecompressSync(body).toString(), PAGE)
  })
})

describe('Last-Modified, by the clock of the service', () => {
  let now = 0
  const hosting = new Hosting({ clock: () => new Date(now * 1000) })
  const ask = (target: string, headers: Record<string, string>) => hosting.ask('demo', target, headers)

  before(async () => {
    await hosting.createSite('demo', { 'early.html': PAGE, 'late.html': PAGE, 'part.html': PAGE, 'a.css': 'a{}' })
    await hosting.start()
  })
  after(() => hosting.stop())

  it('is not sent while it is in the future', async () => {
    const since = { 'If-Modified-Since': date(CHANGED_AT) }
    now = CHANGED_AT - 1
    const early = await ask('/early', since)
    assert.deepEqual([early.status, early.headers['last-modified']], [200, undefined])
    now = CHANGED_AT
    assert.equal((await ask('/late', {})).headers['last-modified'], date(CHANGED_AT))
    assert.equal((await ask('/late', since)).status, 304)
  })

  it('is sent with files that are no pages too, and spares those who have them', async () => {
    now = CHANGED_AT
    const { headers } = await ask('/a.css', {})
    assert.deepEqual([headers['last-modified'], headers['cache-tag']?.includes('page-')], [date(CHANGED_AT), false])
    for (const [since, status] of [
      [CHANGED_AT - 1, 200],
      [CHANGED_AT, 304],
    ] as const)
      assert.equal((await ask('/a.css', { 'If-Modified-Since': date(since) })).status, status)
  })

  it('allows a range once its second is over', async () => {
    const part = { Range: 'bytes=0-9', 'If-Range': date(CHANGED_AT) }
    now = CHANGED_AT
    assert.equal((await ask('/part', part)).status, 200)
    now = CHANGED_AT + 1
    assert.equal((await ask('/part', part)).status, 206)
  })
})
