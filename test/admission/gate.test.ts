import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Gate, type GateRule } from '../../src/admission/gate.js'
import { countWaits, type Waits } from '../../src/admission/waits.js'
import { refusal } from '../usecases/service-parts.js'

const RULE: GateRule = {
  atOnce: 8,
  each: 'half',
  maxWaiting: 100,
  maxWaitMs: 10_000,
  refusal: { status: 503, code: 'service_busy', message: 'Too many at once.', retryAfterSeconds: 2 },
  wait: 'tasks',
}

describe('a gate', () => {
  const gateOf = (rule: Partial<GateRule>) => new Gate({ ...RULE, ...rule })

  /** Asks for as many places; work goes on until `end` is called. */
  function ask(gate: Gate, workspaceId: string, count: number) {
    const held = { begun: 0, end: () => undefined as void, all: Promise.resolve() }
    const isOver = new Promise<void>((resolve) => (held.end = resolve))
    const work = async () => {
      held.begun++
      await isOver
    }
    held.all = Promise.all(Array.from({ length: count }, () => gate.during(workspaceId, work))).then(() => undefined)
    return held
  }

  it('gives up to half of its places to one workspace, and the last to one that has none', async () => {
    const gate = gateOf({})
    const all = ['a', 'b', 'c', 'd'].map((name) => ask(gate, name, 9))
    await nextTurn()
    const begun = () => all.map((one) => one.begun)
    assert.deepEqual(begun(), [4, 2, 1, 1])
    assert.deepEqual(gate.figures, { running: 8, waiting: 28, refused: 0 })
    for (const one of all) one.end()
    await Promise.all(all.map((one) => one.all))
    assert.deepEqual(begun(), [9, 9, 9, 9])
    assert.deepEqual(gate.figures, { running: 0, waiting: 0, refused: 0 })
  })

  it('never gives all places to one workspace, even if there are only two', async () => {
    const gate = gateOf({ atOnce: 2 })
    const greedy = ask(gate, 'greedy', 2)
    const modest = ask(gate, 'modest', 1)
    await nextTurn()
    assert.deepEqual([greedy.begun, modest.begun], [1, 1])
    greedy.end()
    modest.end()
    await Promise.all([greedy.all, modest.all])
  })

  it('gives a place to the workspace that has waited longest', async () => {
    const gate = gateOf({ atOnce: 2 })
    const holders = [ask(gate, 'a', 1), ask(gate, 'b', 1)]
    const order: string[] = []
    const waiting = ['c', 'c', 'd'].map((name) => gate.during(name, async () => void order.push(name)))
    for (const { end } of holders) end()
    await Promise.all(waiting)
    assert.deepEqual(order, ['c', 'd', 'c'])
  })

  it('refuses after a time limit, and gives the place to the next workspace', async () => {
    const gate = gateOf({ atOnce: 2, maxWaitMs: 20 })
    const held = ask(gate, 'a', 1)
    await assert.rejects(gate.enter('a'), refusal('service_busy'))
    held.end()
    await held.all
    assert.equal(await gate.during('a', async () => 'served'), 'served')
    assert.equal(gate.figures.refused, 1)
  })

  it('refuses at once where as many as may wait already do, and says when to try again', async () => {
    const gate = gateOf({ atOnce: 1, each: 1, maxWaiting: 0 })
    const leave = await gate.enter('a')
    await assert.rejects(gate.enter('a'), { code: 'service_busy', retryAfterSeconds: 2 })
    assert.equal(gate.tryEnter('b'), undefined)
    assert.throws(() => gate.enterNow('b'), refusal('service_busy'))
    leave()
    leave()
    assert.deepEqual([gate.tryEnter('a') !== undefined, gate.tryEnter('b')], [true, undefined])
  })

  it('forgets work whose signal ends its wait', async () => {
    const gate = gateOf({ atOnce: 1, each: 1 })
    const leave = await gate.enter('a')
    const stop = new AbortController()
    const stopped = assert.rejects(gate.enter('b', { signal: stop.signal }), /enough/)
    const next = gate.enter('c')
    stop.abort(new Error('enough'))
    await stopped
    leave()
    await next
    await assert.rejects(gate.enter('b', { signal: stop.signal }), /enough/)
  })

  it('gives a place to others once it was held for as long as the rule says', async () => {
    const gate = gateOf({ atOnce: 1, each: 1, lasts: 20 })
    const leave = await gate.enter('a')
    const leaveNext = await gate.enter('b')
    leave()
    assert.deepEqual(gate.figures, { running: 1, waiting: 0, refused: 0 })
    leaveNext()
    assert.deepEqual(gate.figures, { running: 0, waiting: 0, refused: 0 })
  })

  it('names the wait of a request, and no wait where there is a place', async () => {
    const gate = gateOf({ atOnce: 1, each: 1 })
    const waits: [Waits, Waits] = [{}, {}]
    const leave = await countWaits(waits[0], () => gate.enter('a'))
    const entered = countWaits(waits[1], () => gate.enter('a'))
    await nextTurn()
    leave()
    await entered
    assert.deepEqual([waits[0], (waits[1].tasks ?? 0) > 0], [{}, true])
  })
})

describe('a gate whose places last a turn of the event loop', () => {
  const TURN: GateRule = { ...RULE, atOnce: Number.POSITIVE_INFINITY, each: 1, lasts: 'turn', maxWaiting: 1000 }
  let gate: Gate
  let begun: string[]

  beforeEach(() => {
    gate = new Gate(TURN)
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

  it('begins one request of a workspace in each turn, in their order, and each in the end', async () => {
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

  it('refuses a request of a workspace of which a thousand wait', async () => {
    const outcomes = await Promise.allSettled([...Array.from({ length: 1_002 }, () => enter('a')), enter('b')])
    assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 1)
    assert.equal(gate.figures.refused, 1)
  })
})
