import assert from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Hosting } from '../hosting.js'

const MEBIBYTE = 1024 * 1024

describe('the memory of the pages', () => {
  const CACHE = 10 * MEBIBYTE
  const hosting = new Hosting({ cacheBytes: CACHE })
  const PAGES = 24
  /** Too large for the memory of objects, which has a bound of its own. */
  const SIZE = 1_100_000

  before(async () => {
    const files = Array.from({ length: PAGES }, (_, at) => [`${at}.bin`, Buffer.alloc(SIZE, String(at))] as const)
    await hosting.createSite('demo', Object.fromEntries(files))
    await hosting.start()
  })
  after(() => hosting.stop())

  it('stays within the limit, however many pages are visited', async () => {
    const atFirst = await memoryInUse()
    const requests = Array.from({ length: PAGES }, (_, at) => ({ method: 'GET', target: `/${at}.bin`, headers: {} }))
    let bytes = 0
    for (const request of requests) bytes += (await hosting.askInTurn('demo', [request]))[0]!.body.length
    assert.equal(bytes, PAGES * SIZE)
    const kept = (await memoryInUse()) - atFirst
    assert.ok(kept > CACHE / 2 && kept < 1.25 * CACHE, `${kept} bytes`)
  })
})

/**
 * Bytes outside of the heap that something in it still holds: what is garbage goes over some turns of the loop. Node's own count
 * of buffers leaves out those that another thread made.
 */
async function memoryInUse(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let last = Infinity; ; ) {
    collect()
    await delay(20)
    const { external } = process.memoryUsage()
    if (external === last) return external
    last = external
  }
}
