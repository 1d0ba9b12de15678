import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { toTimestamp } from '../../src/model/clock.js'

const LAST_SECOND = Date.parse('9999-12-31T23:59:59Z') / 1000

describe('a timestamp', () => {
  it('is the time in UTC to the second, after any earlier timestamps', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: LAST_SECOND }), { minLength: 1 }), (times) => {
        for (const time of times)
          assert.equal(toTimestamp(time), new Date(time * 1000).toISOString().replace('.000Z', 'Z'))
      }),
    )
  })

  it('is the nearest one with a year of four digits', () => {
    assert.equal(toTimestamp(-1), '1970-01-01T00:00:00Z')
    assert.equal(toTimestamp(Number.NaN), '1970-01-01T00:00:00Z')
    assert.equal(toTimestamp(1e300), '9999-12-31T23:59:59Z')
    assert.equal(toTimestamp(1.9), '1970-01-01T00:00:01Z')
  })
})
