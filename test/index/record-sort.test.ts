import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { FieldSort, RecordQuery } from '../../src/index/tables/rows.js'
import { recordId, type TestRecords, useRecords } from './use-records.js'

describe('sorted records', () => {
  const indexOf = useRecords()

  const values = [
    undefined,
    null,
    [1],
    { a: 1 },
    false,
    true,
    0,
    -1.5,
    9_007_199_254_740_992,
    '',
    'B',
    'a',
    'a\0b',
    'é',
    'E',
    '2026-01-01T01:30:00+02:00',
    '2026-01-01',
    '\ud800',
    'x'.repeat(300),
  ]

  function walk(list: TestRecords['list'], query: Partial<RecordQuery>) {
    const ids: string[] = []
    let cursor: string | undefined
    for (let slices = 0; slices < 100; slices += 1) {
      const { rows, nextCursor } = list({ ...query, cursor })
      ids.push(...rows.map(({ id }) => id))
      if (nextCursor === null) return ids
      cursor = nextCursor
    }
    throw new Error('the list has no end')
  }

  it('come with missing values first, then numbers, then texts, and in reverse', () => {
    const { find } = indexOf([{ n: 'b' }, { n: 2 }, {}, { n: 'a' }, { n: 10 }])
    const sorted = (descending: boolean) => find({ sort: [{ field: 'n', descending }] }).map(({ n }) => n)
    assert.deepEqual(sorted(false), [undefined, 2, 10, 'a', 'b'])
    assert.deepEqual(sorted(true), ['b', 'a', 10, 2, undefined])
  })

  it('come without regard to case and accents', () => {
    const { find } = indexOf(['Zoo', 'apple', 'zebra', 'Äpfel', 'Banana', 'appleA'].map((title) => ({ title })))
    const titles = find({ sort: [{ field: 'title', descending: false }] }).map(({ title }) => title)
    assert.deepEqual(titles, ['Äpfel', 'apple', 'appleA', 'Banana', 'zebra', 'Zoo'])
  })

  it('come in the order of instants where the schema says that a field is a time, as it says at present', () => {
    const times = ['2026-01-01T00:30:00Z', '2026-01-01T01:00:00+02:00', '2025-12-31T23:15:00Z', 'soon']
    const properties = { at: { type: ['string', 'null'], format: 'date-time' } }
    const { find } = indexOf(
      times.map((at) => ({ at })),
      { properties },
    )
    const sorted = (schema?: object) =>
      find({ sort: [{ field: 'at', descending: false }], ...(schema && { schema }) }).map(({ at }) => at)
    const [last, first, second, none] = times
    assert.deepEqual(sorted(), [first, second, last, none])
    assert.deepEqual(sorted({ properties: { at: { type: 'string' } } }), [second, last, first, none])
  })

  it('are all listed once, for any values, in slices of any size', () => {
    const schema = { properties: { a: { type: 'string', format: 'date-time' } }, additionalProperties: true }
    const { list } = indexOf(
      values.flatMap((a) => [{ a, b: 1 }, { a, b: 'x' }, { a }]),
      schema,
    )
    const sort = fc.array(fc.record({ field: fc.constantFrom('a', 'b', 'c'), descending: fc.boolean() }), {
      maxLength: 3,
    })
    fc.assert(
      fc.property(sort, fc.integer({ min: 1, max: 9 }), (by: FieldSort[], limit) => {
        const whole = list({ sort: by }).rows.map(({ id }) => id)
        assert.equal(new Set(whole).size, values.length * 3)
        assert.deepEqual(walk(list, { sort: by, limit }), whole)
      }),
      { numRuns: 60 },
    )
  })

  it('break ties by id', () => {
    const { list } = indexOf([{ n: 1 }, { n: 1 }, { n: 0 }])
    const ids = list({ sort: [{ field: 'n', descending: true }] }).rows.map(({ id }) => id)
    assert.deepEqual(ids, [recordId(1), recordId(0), recordId(2)])
  })

  it('refuse a cursor of another sort, and a field the schema rules out', () => {
    const schema = { properties: { n: {}, m: {} }, additionalProperties: false }
    const { list } = indexOf([{ n: 1 }, { n: 2 }], schema)
    const { nextCursor } = list({ limit: 1, sort: [{ field: 'n', descending: false }] })
    const others: FieldSort[][] = [[], [{ field: 'n', descending: true }], [{ field: 'm', descending: false }]]
    for (const sort of others) {
      assert.throws(() => list({ sort, cursor: nextCursor ?? '' }), { code: 'invalid_cursor' })
    }
    assert.throws(() => list({ sort: [{ field: 'x', descending: false }] }), { code: 'invalid_query' })
  })
})
