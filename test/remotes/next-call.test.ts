// When the call comes that was asked for again and again.

import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { NextCall } from '../../src/mirrors/next-call.js'

const MAX_WAIT_MS = 5000

describe('the next call', () => {
  it('comes although it is asked for again without a pause', async () => {
    let calls = 0
    const next = new NextCall(() => calls++)
    for (const end = Date.now() + MAX_WAIT_MS; calls === 0; await pause(1)) {
      assert.ok(Date.now() < end, 'each question put it off')
      next.within(50)
    }
    next.cancel()
  })

  it('comes sooner where it is asked for sooner, once, and not after it was cancelled', async () => {
    let calls = 0
    const next = new NextCall(() => calls++)
    next.within(60_000)
    next.within(1)
    for (const end = Date.now() + MAX_WAIT_MS; calls === 0; await pause(1)) assert.ok(Date.now() < end, 'it never came')
    await pause(20)
    assert.equal(calls, 1)
    next.within(1)
    next.cancel()
    await pause(20)
    assert.equal(calls, 1)
  })
})
