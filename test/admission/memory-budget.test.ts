import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { bytesOf, MemoryBudget, MemoryShare } from '../../src/admission/memory-budget.js'
import { MEMORY, type MemoryClass } from '../../src/admission/memory-rows.js'

const CLASSES = Object.keys(MEMORY) as MemoryClass[]
const PATIENT = { ...MEMORY.requests, maxWaitMs: 10_000 }

describe('the memory of requests', () => {
  it('is divided into classes, and one takes nothing from another', () => {
    const memory = new MemoryBudget(1600)
    assert.equal(
      CLASSES.reduce((sum, name) => sum + bytesOf(name, 1600), 0),
      1600,
    )
    while (memory.of('requests').take('a', 1));
    while (memory.of('requests').take('b', 1));
    assert.ok(memory.of('writes').take('a', bytesOf('writes', 1600) / 2))
  })
})

describe('a class of memory', () => {
  it('gives one holder half, the next half of the rest, and always some to a new holder', () => {
    const budget = new MemoryShare(600, PATIENT)
    const takeAll = (holder: string) => {
      let taken = 0
      while (budget.take(holder, 1)) taken++
      return taken
    }
    assert.equal(takeAll('a'), 300)
    assert.equal(takeAll('b'), 150)
    assert.equal(takeAll('c'), 75)
    budget.give('a', 300)
    assert.equal(takeAll('b'), 112, 'it has 262 then, and leaves 263')
  })

  it('is complete again once all bytes are returned', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 400 }))), (wishes) => {
        const budget = new MemoryShare(1000, PATIENT)
        const taken = wishes.filter(([holder, bytes]) => budget.take(holder, bytes))
        assert.ok(taken.reduce((sum, [, bytes]) => sum + bytes, 0) <= 1000)
        for (const [holder, bytes] of taken) budget.give(holder, bytes)
        assert.ok(budget.take('d', 500))
        assert.ok(!budget.take('d', 1))
      }),
    )
  })

  it('lets a waiting holder take returned bytes, and reports if none come in time', async () => {
    const budget = new MemoryShare(100, { ...PATIENT, maxWaitMs: 100 })
    assert.ok(budget.take('a', 50))
    const waits = budget.takeSoon('a', 30)
    setImmediate(() => budget.give('a', 50))
    assert.equal(await waits, true)
    assert.equal(await budget.takeSoon('a', 60), false)
  })

  it("lets only a limited number of one holder's requests wait, and refuses the next at once", async () => {
    const budget = new MemoryShare(100, PATIENT)
    assert.ok(budget.take('a', 50))
    const waiting = Array.from({ length: 32 }, () => budget.takeSoon('a', 1))
    assert.equal(await budget.takeSoon('a', 1), false)
    const other = budget.takeSoon('b', 50)
    budget.give('a', 50)
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set([true]))
    budget.give('a', 32)
    assert.equal(await other, true)
  })

  it('lets at most 32 MiB that are already in memory wait, of all holders together', async () => {
    const mebibyte = 1024 * 1024
    const budget = new MemoryShare(100 * mebibyte, PATIENT)
    assert.ok(budget.take('a', 50 * mebibyte))
    const waits = budget.reserveLoaded('a', 20 * mebibyte)
    assert.equal(await budget.reserveLoaded('a', 20 * mebibyte), false)
    assert.equal(await budget.reserveLoaded('b', 20 * mebibyte), true)
    budget.give('a', 50 * mebibyte)
    assert.equal(await waits, true)
  })
})
