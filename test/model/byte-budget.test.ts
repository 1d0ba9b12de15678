import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { ByteBudget } from '../../src/model/byte-budget.js'

describe('a budget of bytes', () => {
  it('gives one holder half, the next half of the rest, and always some to a new holder', () => {
    const budget = new ByteBudget(600)
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
        const budget = new ByteBudget(1000)
        const taken = wishes.filter(([holder, bytes]) => budget.take(holder, bytes))
        assert.ok(taken.reduce((sum, [, bytes]) => sum + bytes, 0) <= 1000)
        for (const [holder, bytes] of taken) budget.give(holder, bytes)
        assert.ok(budget.take('d', 500))
        assert.ok(!budget.take('d', 1))
      }),
    )
  })

  it('lets a waiting holder take returned bytes, and reports if none come in time', async () => {
    const budget = new ByteBudget(100)
    assert.ok(budget.take('a', 50))
    const waits = budget.takeWithin(10_000, 'a', 30)
    setImmediate(() => budget.give('a', 50))
    assert.equal(await waits, true)
    assert.equal(await budget.takeWithin(10, 'a', 60), false)
  })

  it("lets only a limited number of one holder's requests wait, and refuses the next at once", async () => {
    const budget = new ByteBudget(100)
    assert.ok(budget.take('a', 50))
    const waiting = Array.from({ length: 32 }, () => budget.takeWithin(10_000, 'a', 1))
    assert.equal(await budget.takeWithin(10_000, 'a', 1), false)
    const other = budget.takeWithin(10_000, 'b', 50)
    budget.give('a', 50)
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set([true]))
    budget.give('a', 32)
    assert.equal(await other, true)
  })

  it('lets at most 32 MiB that are already in memory wait, of all holders together', async () => {
    const mebibyte = 1024 * 1024
    const budget = new ByteBudget(100 * mebibyte)
    assert.ok(budget.take('a', 50 * mebibyte))
    const waits = budget.takeMadeWithin(10_000, 'a', 20 * mebibyte)
    assert.equal(await budget.takeMadeWithin(10_000, 'a', 20 * mebibyte), false)
    assert.equal(await budget.takeMadeWithin(10, 'b', 20 * mebibyte), true)
    budget.give('a', 50 * mebibyte)
    assert.equal(await waits, true)
  })
})
