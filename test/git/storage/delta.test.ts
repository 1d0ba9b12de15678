import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { applyDelta, encodeDelta, readDeltaSize } from '../../../src/git/storage/delta.js'
import { ObjectCorrupt } from '../../../src/git/objects/errors.js'

const bytes = fc.uint8Array({ maxLength: 600 }).map((array) => Buffer.from(array))
/** Two versions of the same bytes: a few stretches replaced, added or taken away. */
const versions = fc
  .record({
    base: fc.uint8Array({ minLength: 200, maxLength: 9000 }),
    changes: fc.array(fc.record({ at: fc.nat(9000), gone: fc.nat(60), put: fc.uint8Array({ maxLength: 60 }) }), {
      maxLength: 4,
    }),
  })
  .map(({ base, changes }) => {
    const target = [...base]
    for (const { at, gone, put } of changes) target.splice(at % target.length, gone, ...put)
    return { base: Buffer.from(base), target: Buffer.from(target) }
  })

describe('a delta', () => {
  it('makes the target from the base if it is made at all', () => {
    fc.assert(
      fc.property(fc.oneof(versions, fc.record({ base: bytes, target: bytes })), ({ base, target }) => {
        const delta = encodeDelta(base, target)
        if (delta === undefined) return
        assert.deepEqual(applyDelta(base, delta), target)
        assert.equal(readDeltaSize(delta), target.length)
      }),
      { numRuns: 500 },
    )
  })

  it('copies more bytes than one instruction can', () => {
    const base = Buffer.alloc(0xffffff + 10, 'a')
    const delta = encodeDelta(base, base)
    assert.ok(delta !== undefined && delta.length < 50)
    assert.deepEqual(applyDelta(base, delta), base)
  })

  it('is either applied or corrupt, for any bytes, and never reads or writes past its ends', () => {
    fc.assert(
      fc.property(bytes, bytes, (base, delta) => {
        try {
          assert.equal(applyDelta(base, delta).length, readDeltaSize(delta))
        } catch (error) {
          assert.ok(error instanceof ObjectCorrupt, String(error))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('is corrupt if it claims a size beyond all memory', () => {
    const huge = Buffer.from([3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x01, 0x61])
    assert.throws(() => applyDelta(Buffer.from('abc'), huge), ObjectCorrupt)
  })
})
