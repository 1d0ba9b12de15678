import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { MemoryShare } from '../../../../src/admission/memory-budget.js'
import { MEMORY } from '../../../../src/admission/memory-rows.js'
import { HeldBodies, MIN_HELD_BYTES } from '../../../../src/protocols/host/answer/held-bodies.js'

const ROOM = 8 * MIN_HELD_BYTES
const room = (maxWaitMs = 60_000) => new MemoryShare(ROOM, { ...MEMORY.visitors, maxWaitMs })
const bytesOf = (count: number) => async () => Buffer.alloc(count * MIN_HELD_BYTES)

describe('bodies that are held for visitors', () => {
  /** Whether there is room for a body of so many times the least that counts. */
  const hasRoom = (held: HeldBodies, key: string, count: number, address: string) =>
    held.hold(key, count * MIN_HELD_BYTES, address, bytesOf(count)) !== undefined

  it('are read once for all holders, and again after the last one has released them', async () => {
    const held = new HeldBodies(room())
    let reads = 0
    const hold = () =>
      held.hold('a', MIN_HELD_BYTES, 'one', async () => {
        reads++
        return Buffer.alloc(MIN_HELD_BYTES)
      })
    const [first, second] = [hold(), hold()]
    assert.equal(await first?.body, await second?.body)
    first?.release()
    hold()?.release()
    assert.equal(reads, 1)
    second?.release()
    hold()
    assert.equal(reads, 2)
  })

  it('get half of the room for one address, and half of the rest for the next', () => {
    const held = new HeldBodies(room())
    assert.ok(!hasRoom(held, 'a', 5, 'one'))
    assert.ok(hasRoom(held, 'b', 4, 'one'))
    assert.ok(!hasRoom(held, 'c', 1, 'one'))
    assert.ok(!hasRoom(held, 'd', 3, 'two'))
    assert.ok(hasRoom(held, 'e', 2, 'two'))
  })

  it('free their room, also if they could not be read', async () => {
    const held = new HeldBodies(room())
    for (let round = 0; round < 3; round++) {
      const hold = held.hold('a', 4 * MIN_HELD_BYTES, 'one', () => Promise.reject(new Error('unreadable')))
      await assert.rejects(hold?.body ?? Promise.resolve(), /unreadable/)
      hold?.release()
    }
    assert.ok(hasRoom(held, 'b', 4, 'one'))
  })

  it('wait for room until others are released', async () => {
    const held = new HeldBodies(room())
    const first = held.hold('a', 4 * MIN_HELD_BYTES, 'one', bytesOf(4))
    const [second, third] = [1, 2].map(() => held.holdSoon('b', 4 * MIN_HELD_BYTES, 'one', bytesOf(4)))
    first?.release()
    const holds = [await second, await third]
    assert.equal(await holds[0]?.body, await holds[1]?.body)
    for (const hold of holds) hold?.release()
    assert.ok(hasRoom(held, 'c', 4, 'one'))
  })

  it('wait for room only for a limited time', async () => {
    const held = new HeldBodies(room(20))
    held.hold('a', 4 * MIN_HELD_BYTES, 'one', bytesOf(4))
    assert.equal(await held.holdSoon('b', 4 * MIN_HELD_BYTES, 'one', bytesOf(4)), undefined)
  })

  it('are not counted if they are short', () => {
    const held = new HeldBodies(room())
    for (let at = 0; at < 100; at++) assert.ok(held.hold(`${at}`, MIN_HELD_BYTES - 1, 'one', bytesOf(0)))
    assert.ok(hasRoom(held, 'a', 4, 'one'))
  })
})
