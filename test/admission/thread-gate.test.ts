import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ThreadGate } from '../../src/admission/thread-gate.js'
import { countWaits, type Waits } from '../../src/admission/waits.js'
import { ServiceError } from '../../src/model/errors.js'

describe('the gate of the serving thread', () => {
  let gate: ThreadGate
  let begun: string[]

  beforeEach(() => {
    gate = new ThreadGate()
    begun = []
  })

  const enter = async (workspaceId: string, name = workspaceId) => {
    await gate.enter(workspaceId)
    begun.push(name)
  }

  it('begins a request at once where no other of its workspace has begun', async () => {
    const waits: Waits = {}
    await countWaits(waits, () => enter('a'))
    await countWaits(waits, () => enter('b'))
    await nextTurn()
    await countWaits(waits, () => enter('a'))
    assert.deepEqual([begun, waits], [['a', 'b', 'a'], {}])
  })

  it('begins one request of a workspace in each turn of the event loop, in their order, and each in the end', async () => {
    const names = Array.from({ length: 50 }, (_, at) => `${at}`)
    const all = names.map((name) => enter('a', name))
    for (let before = 0; before < names.length; before = begun.length) {
      await nextTurn()
      assert.ok(begun.length > before && begun.length - before <= 2, `${begun.length - before} in one turn`)
    }
    await Promise.all(all)
    assert.deepEqual(begun, names)
  })

  it('begins the request of another workspace before those that wait', async () => {
    const all = Array.from({ length: 1_000 }, () => enter('greedy'))
    all.push(enter('modest'))
    await Promise.all(all)
    assert.equal(begun.indexOf('modest'), 1)
  })

  it('names the wait, and refuses a request of a workspace of which a thousand wait', async () => {
    const waits: Waits = {}
    const requests = Array.from({ length: 1_002 }, () => countWaits(waits, () => enter('a')))
    const outcomes = await Promise.allSettled([...requests, enter('b')])
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
    assert.equal(refused.length, 1)
    assert.ok(refused[0] instanceof ServiceError && refused[0].code === 'queue_full')
    assert.ok((waits.turn ?? 0) > 0)
  })
})
