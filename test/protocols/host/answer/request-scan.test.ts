import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { describe, it } from 'mocha'
import { hasField, scanFields } from '../../../../src/protocols/host/answer/request-scan.js'

const CONDITIONS = ['If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since', 'If-Range', 'Range']
const NAMES = [...CONDITIONS, 'Accept-Encoding', 'Accept', 'If', 'I', 'R', '', 'Referer', 'Accept-Encodings', 'X-Range']

describe('the scanned fields of a request', () => {
  const name = fc
    .tuple(fc.constantFrom(...NAMES), fc.constantFrom('as it is', 'lower', 'upper'))
    .map(([text, spelt]) => (spelt === 'lower' ? text.toLowerCase() : spelt === 'upper' ? text.toUpperCase() : text))
  const fields = fc.array(fc.tuple(name, fc.string({ maxLength: 3 })), { maxLength: 6 })

  it('equal those found one by one, in any letter case and any number', () => {
    fc.assert(
      fc.property(fields, (given) => {
        const valuesOf = (wanted: string) =>
          given.filter(([each]) => each.toLowerCase() === wanted).map(([, value]) => value)
        const joined = (wanted: string) => (valuesOf(wanted).length === 0 ? undefined : valuesOf(wanted).join(', '))
        const has = (wanted: string) => valuesOf(wanted).length > 0
        const others = ['if-match', 'if-unmodified-since', 'if-range', 'range'].some(has)
        assert.deepEqual(scanFields(given.flat()), {
          acceptEncoding: joined('accept-encoding'),
          ifNoneMatch: joined('if-none-match'),
          hasOtherCondition: others || (has('if-modified-since') && !has('if-none-match')),
        })
        for (const wanted of NAMES) {
          assert.equal(hasField(given.flat(), wanted.toLowerCase()), has(wanted.toLowerCase()), wanted)
        }
      }),
      { numRuns: 500 },
    )
  })
})
