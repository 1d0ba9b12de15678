import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { describe, it } from 'mocha'
import { toHttpDate, parseAnyHttpDate } from '../../../src/protocols/http/http-date.js'

const NOW = Date.UTC(2026, 0) / 1000

describe('a date of HTTP', () => {
  // RFC 9110 §5.6.7 writes the same moment in all three.
  for (const text of ['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994']) {
    it(`is read as ${text}`, () => assert.equal(parseAnyHttpDate(text, NOW), 784_111_777))
  }

  it('is read as the time for which it was written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), (time) => {
        assert.equal(parseAnyHttpDate(toHttpDate(time), NOW), time)
      }),
    )
  })

  it('is never more than 50 years ahead if its year has two digits', () => {
    assert.equal(new Date((parseAnyHttpDate('Friday, 06-Nov-76 08:49:37 GMT', NOW) ?? 0) * 1000).getUTCFullYear(), 2076)
    assert.equal(new Date((parseAnyHttpDate('Sunday, 06-Nov-77 08:49:37 GMT', NOW) ?? 0) * 1000).getUTCFullYear(), 1977)
  })

  for (const text of [
    '',
    'yesterday',
    '784111777',
    '1994-11-06T08:49:37Z',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 1994 08:49:37 +0100',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    'Sun, 31 Feb 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 24:00:00 GMT',
    'Sun, 06 ovD 1994 08:00:00 GMT',
  ]) {
    it(`is not read from ${text || 'an empty text'}`, () => assert.equal(parseAnyHttpDate(text, NOW), undefined))
  }
})
