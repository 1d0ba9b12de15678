import assert from 'node:assert/strict'
import { Turns } from '../../src/threads/turns.js'
import { PATIENCE_MS, within } from '../support/within.js'

describe('turns', () => {
  function taken(turns: Turns<string>, mayRun: (workspaceId: string) => boolean = () => true): string[] {
    const order: string[] = []
    for (let next = turns.take(mayRun); next !== undefined; next = turns.take(mayRun)) order.push(next.job)
    return order
  }

  it('keep the order of one workspace, and go round between workspaces', () => {
    const turns = new Turns<string>(9)
    for (const job of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) turns.add(job.slice(0, 1), job)
    assert.deepEqual(taken(turns), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  it('give the last place to a workspace that was just served, even if it asks again at once', () => {
    const turns = new Turns<string>(9)
    turns.add('a', 'a1')
    turns.add('a', 'a2')
    assert.equal(turns.take(() => true)?.job, 'a1')
    turns.add('b', 'b1')
    turns.add('a', 'a3')
    assert.deepEqual(taken(turns), ['a2', 'b1', 'a3'])
  })

  it('give a workspace that was served while others waited a place after them', () => {
    const turns = new Turns<string>(9)
    for (const job of ['a1', 'b1']) turns.add(job.slice(0, 1), job)
    turns.moveToEnd('a')
    turns.moveToEnd('c')
    assert.deepEqual(taken(turns), ['b1', 'a1'])
  })

  it('pass over a workspace that may not run now, which keeps its place', () => {
    const turns = new Turns<string>(9)
    for (const job of ['a1', 'b1', 'a2', 'b2']) turns.add(job.slice(0, 1), job)
    assert.equal(turns.take((id) => id === 'b')?.job, 'b1')
    assert.deepEqual(taken(turns), ['a1', 'b2', 'a2'])
  })

  it('refuse a job past the bound, and return the waiting jobs when they are cleared', () => {
    const turns = new Turns<string>(2)
    assert.deepEqual([turns.add('a', 'a1'), turns.add('a', 'a2'), turns.add('a', 'a3')], [true, true, false])
    assert.equal(turns.add('b', 'b1'), true)
    assert.deepEqual(turns.clear(), ['a1', 'a2', 'b1'])
    assert.deepEqual(taken(turns), [])
  })

  it('return a job that has waited too long, and accept others after it', async () => {
    const late: string[] = []
    const turns = new Turns<string>(2, { maxMs: 100, onLate: (job) => late.push(job) })
    for (const job of ['a1', 'a2', 'b1']) turns.add(job.slice(0, 1), job)
    assert.equal(turns.take(() => true)?.job, 'a1')
    await within(PATIENCE_MS, () => assert.deepEqual(late, ['a2', 'b1']))
    assert.deepEqual([turns.add('a', 'a3'), turns.add('a', 'a4'), turns.add('b', 'b2')], [true, true, true])
    assert.deepEqual(taken(turns), ['a3', 'b2', 'a4'])
    turns.add('a', 'a5')
    assert.deepEqual(turns.clear(), ['a5'])
    // One of others that waits as long as those waited, and is late after them.
    new Turns<string>(1, { maxMs: 100, onLate: (job) => late.push(job) }).add('c', 'c1')
    await within(PATIENCE_MS, () => assert.deepEqual(late, ['a2', 'b1', 'c1']))
  })
})
