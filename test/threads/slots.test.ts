import assert from 'node:assert/strict'
import { ServiceError } from '../../src/model/errors.js'
import { Slots } from '../../src/threads/slots.js'

const REFUSAL = 'Too many at once.'

describe('slots', () => {
  const slots = (total: number, maxWaitMs = 10_000) => new Slots({ total, maxWaitMs, refusal: REFUSAL })

  /** Asks for as many slots; work goes on until `end` is called. */
  function ask(from: Slots, workspaceId: string, count: number) {
    const held = { begun: 0, end: () => undefined as void, all: Promise.resolve() }
    const isOver = new Promise<void>((resolve) => (held.end = resolve))
    const work = async () => {
      held.begun++
      await isOver
    }
    held.all = Promise.all(Array.from({ length: count }, () => from.during(workspaceId, work))).then(() => undefined)
    return held
  }

  it('can be taken up to half by one workspace, and to the last by one that has none', async () => {
    const few = slots(8)
    const all = ['a', 'b', 'c', 'd'].map((name) => ask(few, name, 9))
    await Promise.resolve()
    assert.deepEqual(
      all.map(({ begun }) => begun),
      [4, 2, 1, 1],
    )
    for (const one of all) one.end()
    await Promise.all(all.map((one) => one.all))
    assert.deepEqual(
      all.map(({ begun }) => begun),
      [9, 9, 9, 9],
    )
  })

  it('are never all taken by one workspace, even if there are only two', async () => {
    const two = slots(2)
    const greedy = ask(two, 'greedy', 2)
    const modest = ask(two, 'modest', 1)
    assert.deepEqual([greedy.begun, modest.begun], [1, 1])
    greedy.end()
    modest.end()
    await Promise.all([greedy.all, modest.all])
  })

  it('go to the workspace that has waited longest', async () => {
    const two = slots(2)
    const holders = [ask(two, 'a', 1), ask(two, 'b', 1)]
    const order: string[] = []
    const waiting = ['c', 'c', 'd'].map((name) => two.during(name, async () => void order.push(name)))
    for (const { end } of holders) end()
    await Promise.all(waiting)
    assert.deepEqual(order, ['c', 'd', 'c'])
  })

  it('are refused after a time limit, and are free again for the next workspace', async () => {
    const two = slots(2, 20)
    const held = ask(two, 'a', 1)
    await assert.rejects(
      two.during('a', async () => undefined),
      (error) => error instanceof ServiceError && error.code === 'service_busy' && error.message === REFUSAL,
    )
    held.end()
    await held.all
    assert.equal(await two.during('a', async () => 'served'), 'served')
  })
})
