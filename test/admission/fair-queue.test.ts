import assert from 'node:assert/strict'
import { FairQueue } from '../../src/admission/fair-queue.js'
import { PATIENCE_MS, within } from '../support/within.js'

describe('a fair queue', () => {
  function taken(turns: FairQueue<string>, mayRun: (workspaceId: string) => boolean = () => true): string[] {
    const order: string[] = []
    for (let next = turns.take(mayRun); next !== undefined; next = turns.take(mayRun)) order.push(next.job)
    return order
  }

  it('keeps the order of one workspace, and goes round between workspaces', () => {
    const turns = new FairQueue<string>(9)
    for (const job of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) turns.add(job.slice(0, 1), job)
    assert.deepEqual(taken(turns), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  it('gives the last place to a workspace that was just served, even if it asks again at once', () => {
    const turns = new FairQueue<string>(9)
    turns.add('a', 'a1')
    turns.add('a', 'a2')
    assert.equal(turns.take(() => true)?.job, 'a1')
    turns.add('b', 'b1')
    turns.add('a', 'a3')
    assert.deepEqual(taken(turns), ['a2', 'b1', 'a3'])
  })

  it('gives a workspace that was served while others waited a place after them', () => {
    const turns = new FairQueue<string>(9)
    for (const job of ['a1', 'b1']) turns.add(job.slice(0, 1), job)
    turns.moveToEnd('a')
    turns.moveToEnd('c')
    assert.deepEqual(taken(turns), ['b1', 'a1'])
  })

  it('passes over a workspace that may not run now, which keeps its place', () => {
    const turns = new FairQueue<string>(9)
    for (const job of ['a1', 'b1', 'a2', 'b2']) turns.add(job.slice(0, 1), job)
    assert.equal(turns.take((id) => id === 'b')?.job, 'b1')
    assert.deepEqual(taken(turns), ['a1', 'b2', 'a2'])
  })

  it('alternates between the sites of a workspace, which have no more turns than one site of another', () => {
    const turns = new FairQueue<string>()
    for (const site of ['a1', 'a2', 'a3']) turns.add('a', site, site)
    turns.add('a', 'a1 again', 'a1')
    turns.add('b', 'b1', 'b1')
    assert.deepEqual(taken(turns), ['a1', 'b1', 'a2', 'a3', 'a1 again'])
  })

  it('forgets a job that is removed', () => {
    const turns = new FairQueue<string>(2)
    for (const job of ['a1', 'a2']) turns.add('a', job)
    assert.deepEqual([turns.remove('a', 'a1'), turns.remove('a', 'a1'), turns.remove('b', 'a2')], [true, false, false])
    assert.deepEqual([turns.size, turns.add('a', 'a3')], [1, true])
    assert.deepEqual(taken(turns), ['a2', 'a3'])
  })

  it('refuses a job past the bound, and returns the waiting jobs when it is cleared', () => {
    const turns = new FairQueue<string>(2)
    assert.deepEqual([turns.add('a', 'a1'), turns.add('a', 'a2'), turns.add('a', 'a3')], [true, true, false])
    assert.equal(turns.add('b', 'b1'), true)
    assert.deepEqual(turns.clear(), ['a1', 'a2', 'b1'])
    assert.deepEqual(taken(turns), [])
  })

  it('returns a job that has waited too long, and accepts others after it', async () => {
    const late: string[] = []
    const turns = new FairQueue<string>(2, { maxMs: 100, onLate: (job) => late.push(job) })
    for (const job of ['a1', 'a2', 'b1']) turns.add(job.slice(0, 1), job)
    assert.equal(turns.take(() => true)?.job, 'a1')
    await within(PATIENCE_MS, () => assert.deepEqual(late, ['a2', 'b1']))
    assert.deepEqual([turns.add('a', 'a3'), turns.add('a', 'a4'), turns.add('b', 'b2')], [true, true, true])
    assert.deepEqual(taken(turns), ['a3', 'b2', 'a4'])
    turns.add('a', 'a5')
    assert.deepEqual(turns.clear(), ['a5'])
    // One of others that waits as long as those waited, and is late after them.
    new FairQueue<string>(1, { maxMs: 100, onLate: (job) => late.push(job) }).add('c', 'c1')
    await within(PATIENCE_MS, () => assert.deepEqual(late, ['a2', 'b1', 'c1']))
  })
})
