import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { describe, it } from 'mocha'
import { allowsRange } from '../../../src/protocols/http/conditions.js'
import { toHttpDate } from '../../../src/protocols/http/http-date.js'

const TAG = '"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"'
const CHANGED_AT = 1_700_000_000

describe('If-Range', () => {
  const validators = { tag: TAG, lastModified: CHANGED_AT }
  const same = toHttpDate(CHANGED_AT)
  const field = fc.oneof(
    fc.constantFrom(TAG, `W/${TAG}`, `${TAG}, "x"`, '*', same, ` ${same}`, same.toLowerCase()),
    fc.integer({ min: CHANGED_AT - 2, max: CHANGED_AT + 2 }).map(toHttpDate),
    fc.string(),
  )

  it('allows a range for the exact entity tag, and for the exact date of a past change', () => {
    const allowed = new Set<string>()
    fc.assert(
      fc.property(field, fc.integer({ min: -1, max: 2 }), (text, later) => {
        if (!allowsRange(text, validators, CHANGED_AT + later)) return
        allowed.add(text)
        assert.ok(text === TAG || (text === same && later > 0), `${text}, ${later} s later`)
      }),
      { numRuns: 1000 },
    )
    assert.deepEqual(allowed, new Set([TAG, same]))
  })

  it('allows no range by a date if the last change is unknown', () => {
    assert.equal(allowsRange(same, { tag: TAG, lastModified: undefined }, CHANGED_AT + 10), false)
  })
})
