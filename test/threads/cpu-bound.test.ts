import assert from 'node:assert/strict'
import { startCpuBound } from '../../src/threads/cpu-bound.js'

describe('a bound on the time of the processor', () => {
  it('is not reached by a process that has to wait, and is by one that works', () => {
    // Other threads of this process may work meanwhile, though not all the time.
    const isOver = startCpuBound(400)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 450)
    assert.equal(isOver(), false)
    const end = performance.now() + 10_000
    while (!isOver()) assert.ok(performance.now() < end)
  })
})
