import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { compareBytes } from '../../../src/git/repository/byte-order.js'

describe('the order of names', () => {
  it('is the order of their bytes, for any characters', () => {
    const near = fc.constantFrom('a', 'é', '\ud7ff', '\ue000', '\uffee', '\u{10000}', '\u{1f600}', '\u{10ffff}')
    const name = fc.oneof(fc.string({ unit: near, maxLength: 6 }), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(name, name, (a, b) => {
        assert.equal(Math.sign(compareBytes(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)))
      }),
    )
  })
})
