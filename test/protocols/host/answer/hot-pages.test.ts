import assert from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { gunzipSync } from 'node:zlib'
import { Hosting } from '../hosting.js'

const TEXT = Buffer.from(`<!doctype html><p>Größe · 大きさ · 😀 ${'of a page. '.repeat(100)}`)
const BYTES = Buffer.from(Array.from({ length: 2048 }, (_, at) => (at * 7) % 256))
const TIMES = 4

describe('a small file requested again and again', () => {
  const hosting = new Hosting()
  before(async () => {
    await hosting.createSite('demo', { 'page.html': TEXT, 'image.png': BYTES, 'empty.txt': '' })
    await hosting.start()
  })
  after(() => hosting.stop())

  for (const [target, bytes] of Object.entries({ '/page': TEXT, '/image.png': BYTES, '/empty.txt': Buffer.alloc(0) })) {
    it(`has the same bytes each time: ${target}`, async () => {
      for (let time = 0; time < TIMES; time++) {
        const { status, headers, body } = await hosting.ask('demo', target)
        assert.equal(status, 200)
        assert.equal(headers['content-length'], String(bytes.length))
        assert.deepEqual(body, bytes)
      }
    })
  }

  it('has the same bytes each time in each coding', async () => {
    for (let time = 0; time < TIMES; time++) {
      const { headers, body } = await hosting.ask('demo', '/page', { 'Accept-Encoding': 'gzip' })
      assert.equal(headers['content-encoding'], 'gzip')
      assert.deepEqual(gunzipSync(body), TEXT)
    }
  })

  it('has the same bytes in ranges', async () => {
    const { status, body } = await hosting.ask('demo', '/image.png', { Range: 'bytes=200-299' })
    assert.equal(status, 206)
    assert.deepEqual(body, BYTES.subarray(200, 300))
  })
})
