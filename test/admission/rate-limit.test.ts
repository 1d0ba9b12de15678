import assert from 'node:assert/strict'
import { RateLimit, rateFields } from '../../src/admission/rate-limit.js'
import { PATIENCE_MS, within } from '../support/within.js'

describe('a rate limit', () => {
  it('lets each client send so many in a window, and tells what is left and for how long', async () => {
    const limit = new RateLimit('key', 2)
    const [first, second, third] = [await limit.take('a'), await limit.take('a'), await limit.take('a')]
    assert.deepEqual([first?.left, second?.left, third?.left], [1, 0, 0])
    assert.deepEqual([first?.isOver, second?.isOver, third?.isOver], [false, false, true])
    assert.ok((third?.resetSeconds ?? 0) >= 1 && (third?.resetSeconds ?? 0) <= 60)
    assert.equal((await limit.take('b'))?.isOver, false)
    assert.deepEqual(limit.figures, { quota: 2, refused: 1 })
  })

  it('lets a client through that waits as long as it says', async () => {
    const limit = new RateLimit('key', 1, 1)
    await limit.take('a')
    assert.equal((await limit.take('a'))?.isOver, true)
    await within(PATIENCE_MS, async () => assert.equal((await limit.peek('a'))?.isOver ?? false, false))
    assert.equal((await limit.take('a'))?.isOver, false)
  })

  it('is no limit if its quota is 0', async () => {
    assert.equal(await new RateLimit('key', 0).take('a'), undefined)
  })

  it('is told in fields that are lists of strings with parameters (RFC 9651)', () => {
    const state = { policy: 'key', quota: 2, windowSeconds: 60, left: 1, resetSeconds: 9, isOver: false }
    assert.deepEqual(rateFields([state, { ...state, policy: 'workspace', quota: 4 }]), {
      'RateLimit-Policy': '"key";q=2;w=60, "workspace";q=4;w=60',
      RateLimit: '"key";r=1;t=9, "workspace";r=1;t=9',
    })
    assert.deepEqual(rateFields([]), {})
  })
})
