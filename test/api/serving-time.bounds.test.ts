import assert from 'node:assert/strict'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { ServiceError } from '../../src/model/errors.js'
import { ServingTime } from '../../src/api/serving-time.js'
import { holdThread } from '../analysis/hold-thread.js'

const MAX_FORGET_MS = 10_000

async function isBegunAtOnce(time: ServingTime, workspaceId: string): Promise<boolean> {
  let isBegun = false
  const done = time.during(workspaceId, async () => void (isBegun = true))
  const wasBegun: boolean = isBegun
  await done
  return wasBegun
}

describe('the time of the serving thread', () => {
  it('is given at once to a workspace within its budget, whatever others used', async () => {
    const time = new ServingTime()
    await time.during('greedy', async () => holdThread(300))
    assert.equal(await isBegunAtOnce(time, 'modest'), true)
  })

  it('is given to a workspace past its budget one request a turn of the event loop, so that others come in between', async () => {
    const time = new ServingTime()
    await time.during('greedy', async () => holdThread(300))
    const order: string[] = []
    const ask = (who: string, name: string) => time.during(who, async () => void order.push(name))
    const greedy = Array.from({ length: 10 }, (_, n) => ask('greedy', `greedy ${n}`))
    await nextTurn()
    await ask('modest', 'modest')
    await Promise.all(greedy)
    assert.ok(order.indexOf('modest') <= 2, order.join(', '))
    assert.deepEqual(
      order.filter((name) => name !== 'modest'),
      Array.from({ length: 10 }, (_, n) => `greedy ${n}`),
    )
  })

  it('goes round between workspaces past their budgets', async () => {
    const time = new ServingTime()
    for (const who of ['a', 'b']) await time.during(who, async () => holdThread(300))
    const order: string[] = []
    const ask = (who: string) => time.during(who, async () => void order.push(who))
    await Promise.all([ask('a'), ask('a'), ask('a'), ask('b')])
    assert.deepEqual(order, ['a', 'b', 'a', 'a'])
  })

  it('is forgotten within seconds', async () => {
    const time = new ServingTime()
    await time.during('greedy', async () => holdThread(110))
    const deadline = performance.now() + MAX_FORGET_MS
    while (!(await isBegunAtOnce(time, 'greedy'))) {
      assert.ok(performance.now() < deadline)
      await pause(100)
    }
  })

  it('is refused to a workspace of which a thousand requests wait', async () => {
    const time = new ServingTime()
    await time.during('greedy', async () => holdThread(300))
    const requests = Array.from({ length: 1_001 }, () => time.during('greedy', async () => undefined))
    const outcomes = await Promise.allSettled(requests)
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
    assert.equal(refused.length, 1)
    assert.ok(refused[0] instanceof ServiceError && refused[0].code === 'queue_full')
  })
})
