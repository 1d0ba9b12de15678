import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { describe, it } from 'mocha'
import { createNegotiator, negotiate } from '../../../src/protocols/http/accept-encoding.js'

describe('Accept-Encoding', () => {
  const fields: [field: string | undefined, coding: string][] = [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0.001,gzip ; q=0.002', 'gzip'],
    ['BR', 'br'],
    ['*', 'br'],
    ['*;q=0.1, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['identity', 'identity'],
    ['identity, gzip;q=0.5', 'identity'],
    ['gzip;q=0.5, identity;q=0.1', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['deflate, zstd', 'identity'],
    ['identity;q=1, *;q=0', 'identity'],
    ['identity;q=0, br', 'br'],
    // Nothing we have is acceptable: the field is disregarded.
    ['identity;q=0', 'identity'],
    ['*;q=0', 'identity'],
    // Malformed items name nothing.
    ['br;q=2, gzip', 'gzip'],
    ['br;q=0.1234, gzip', 'gzip'],
    ['br gzip', 'identity'],
    [',, gzip ,', 'gzip'],
  ]
  for (const [field, coding] of fields) {
    it(`selects ${coding} for ${field ?? 'no field'}`, () => assert.equal(negotiate(field).coding, coding))
  }

  it('leaves identity acceptable unless it is excluded', () => {
    for (const field of ['br', 'br, identity;q=0.1', '*', 'br, *;q=0, identity']) {
      assert.equal(negotiate(field).identity, true, field)
    }
    for (const field of ['br, identity;q=0', 'br, *;q=0']) assert.equal(negotiate(field).identity, false, field)
  })

  it('takes a coding of the greatest weight, for any order and spaces', () => {
    const weights = fc.record({ br: weight(), gzip: weight(), identity: weight() })
    const order = fc.shuffledSubarray(['br', 'gzip', 'identity'] as const, { minLength: 3 })
    fc.assert(
      fc.property(weights, order, fc.constantFrom(',', ', ', ' ,\t'), (given, names, comma) => {
        const { coding } = negotiate(names.map((name) => `${name};q=${given[name]}`).join(comma))
        const greatest = Math.max(given.br, given.gzip, given.identity)
        assert.ok(greatest === 0 ? coding === 'identity' : given[coding] === greatest)
      }),
    )
  })

  it('reads any text, and answers the same from its cache', () => {
    const remembering = createNegotiator()
    fc.assert(
      fc.property(fc.string(), (text) => {
        const fresh = negotiate(text)
        assert.deepEqual([remembering(text), remembering(text)], [fresh, fresh])
      }),
    )
  })
})

function weight(): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000)
}
