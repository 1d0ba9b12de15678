// Tests when the next call comes if it is requested again and again.

import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { PATIENCE_MS } from '../../support/within.js'
import { NextCall } from '../../../src/repository/mirrors/next-call.js'

describe('the next call', () => {
  const calls: number[] = []
  const next = new NextCall(() => calls.push(performance.now()))
  const isCalled = () => calls.length > 0
  beforeEach(() => calls.splice(0))
  afterEach(() => next.cancel())

  it('comes even if it is requested again without a pause', async () => {
    for (const end = Date.now() + PATIENCE_MS; !isCalled(); await pause(1)) {
      assert.ok(Date.now() < end, 'each question put it off')
      next.within(50)
    }
  })

  it('comes sooner if it is requested for sooner, and only once', async () => {
    next.within(60_000)
    next.within(1)
    for (const end = Date.now() + PATIENCE_MS; !isCalled(); await pause(1)) assert.ok(Date.now() < end, 'it never came')
    await pause(20)
    assert.equal(calls.length, 1)
  })

  it('does not come once it is cancelled', async () => {
    next.within(1)
    next.cancel()
    await pause(20)
    assert.equal(calls.length, 0)
  })
})
