import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { canonicalJson, hasSortedKeys } from '../../../src/repository/format/canonical-json.js'

/** Returns the same value with the fields of each object in another order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).toReversed()
  return Object.fromEntries(fields.map(([key, inner]) => [key, reversed(inner)]))
}

describe('canonical JSON', () => {
  // Keys that are numbers come first in every object of JavaScript, and `__proto__` is a key like any other in JSON.
  const key = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('9', '10', '__proto__', 'é', '\ud800', ''))
  const value = fc.letrec((tie) => ({
    any: fc.oneof(fc.integer(), fc.string(), fc.constant(null), tie('list'), tie('fields')),
    list: fc.array(tie('any'), { maxLength: 4 }),
    fields: fc.array(fc.tuple(key, tie('any')), { maxLength: 5 }).map((fields) => Object.fromEntries(fields)),
  })).any

  it('keeps the value, and gives the same text for any order of the fields', () => {
    fc.assert(
      fc.property(value, (one) => {
        const text = canonicalJson(one)
        assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(one)))
        assert.equal(canonicalJson(reversed(one)), text)
        if (hasSortedKeys(one)) assert.equal(JSON.stringify(one), text)
      }),
    )
  })

  it('has keys in the order of their UTF-16 code units, and no spaces', () => {
    const nested = { b: [1, { z: null, a: 'x y' }], a: true, B: 0 }
    assert.equal(canonicalJson(nested), '{"B":0,"a":true,"b":[1,{"a":"x y","z":null}]}')
    assert.equal(hasSortedKeys(nested), false)
    assert.equal(hasSortedKeys({ a: [{ b: 1, c: 2 }] }), true)
  })
})
