import assert from 'node:assert/strict'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import * as fc from 'fast-check'
import { instantOf } from '../../src/index/records/instant.js'

describe('the instant of a date or time', () => {
  const iso = (text: string) => {
    const instant = instantOf(text)
    return instant === undefined ? undefined : new Date(instant).toISOString()
  }

  it('is in UTC, for any offset', () => {
    assert.equal(iso('2026-01-01T01:30:00+02:00'), '2025-12-31T23:30:00.000Z')
    assert.equal(iso('2026-12-31T23:30:00-0130'), '2027-01-01T01:00:00.000Z')
    assert.equal(iso('2026-01-01t00:00:00z'), '2026-01-01T00:00:00.000Z')
    assert.equal(iso('2026-01-01 00:00:00.1239Z'), '2026-01-01T00:00:00.123Z')
    assert.equal(iso('2016-12-31T23:59:60Z'), '2017-01-01T00:00:00.000Z')
  })

  it('is known for every time of RFC 3339 that a record schema takes', () => {
    const { validate } = fullFormats['date-time'] as { validate: (text: string) => boolean }
    const two = (max: number) => fc.nat(max).map((number) => String(number).padStart(2, '0'))
    const offset = fc.oneof(
      fc.constantFrom('Z', 'z'),
      fc.tuple(fc.constantFrom('+', '-'), two(24), fc.constantFrom(':', ''), fc.oneof(fc.constant(''), two(60))),
    )
    const time = fc.tuple(two(23), two(59), two(60), fc.constantFrom('', '.5'), offset)
    const day = fc.tuple(fc.constantFrom('2024', '2025'), two(13), two(31))
    fc.assert(
      fc.property(day, fc.constantFrom('T', 't', ' '), time, (date, between, [hour, minute, second, part, zone]) => {
        const text = `${date.join('-')}${between}${hour}:${minute}:${second}${part}${[zone].flat().join('')}`
        if (validate(text)) assert.notEqual(instantOf(text), undefined, text)
      }),
      { numRuns: 5_000 },
    )
    assert.equal(iso('2026-01-01T00:00:00+02'), '2025-12-31T22:00:00.000Z')
    // The library takes hour 24 if it is 23:59 in UTC.
    assert.equal(validate('2024-01-01T24:30:00+00:31'), true)
    assert.equal(iso('2024-01-01T24:30:00+00:31'), undefined)
  })

  it('is the midnight of a date, in any year', () => {
    assert.equal(iso('2024-02-29'), '2024-02-29T00:00:00.000Z')
    assert.equal(iso('0001-01-01'), '0001-01-01T00:00:00.000Z')
  })

  it('is none for a day or hour that does not exist, for a time without an offset, and for other texts', () => {
    const others = [
      '2025-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
      '2026-01-01T24:00:00Z',
      '2026-01-01T00:60:00Z',
    ]
    const more = [
      '2026-01-01T00:00:00',
      '2026-01-01T00:00:00+24:00',
      '2026-01',
      '2026',
      '',
      'x2026-01-01',
      '2026-01-01\n',
    ]
    for (const text of [...others, ...more]) assert.equal(iso(text), undefined, JSON.stringify(text))
  })

  it('is what Date gives for every time that it writes', () => {
    const min = new Date('0000-01-01T00:00:00Z')
    const max = new Date('9999-12-31T23:59:59.999Z')
    fc.assert(
      fc.property(fc.date({ min, max, noInvalidDate: true }), (date) =>
        assert.equal(instantOf(date.toISOString()), +date),
      ),
    )
  })
})
