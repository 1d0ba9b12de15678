import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { FieldFilter } from '../../src/index/tables/rows.js'
import { useRecords } from './use-records.js'
import { anyText } from '../texts/any-text.js'

describe('filters of records', () => {
  const indexOf = useRecords()

  const schema = {
    type: 'object',
    properties: {
      price: { type: ['number', 'null'] },
      sold: { type: 'boolean' },
      name: { type: 'string' },
      author: { $ref: '#/$defs/author' },
      'a"b.c\\d': { type: 'integer' },
      tags: { type: 'array', items: { type: 'string' } },
    },
    additionalProperties: false,
    $defs: { author: { type: 'object', properties: { age: { type: 'integer' } } } },
  }
  const ten = { price: 10, sold: true, name: 'Ten', author: { age: 40 }, tags: ['new', 'red'] }
  const nine = { price: 9, sold: false, name: 'nine', author: { age: 5 } }
  const none = { price: null, name: 'None' }

  function filtersOn(records: Record<string, unknown>[], by: object | undefined) {
    const { find } = indexOf(records, by)
    return (...filter: [field: string, op: FieldFilter['op'], value: string][]) =>
      find({ filter: filter.map(([field, op, value]) => ({ field, op, value })) })
  }

  it('compare numbers as numbers and booleans as booleans', () => {
    const filter = filtersOn([ten, nine, none], schema)
    assert.deepEqual(filter(['price', 'gt', '9']), [ten])
    assert.deepEqual(filter(['price', 'gte', '9.0']), [ten, nine])
    assert.deepEqual(filter(['price', 'lt', '1e1']), [nine])
    assert.deepEqual(filter(['price', 'lte', '10'], ['sold', 'eq', 'true']), [ten])
    assert.deepEqual(filter(['author.age', 'lt', '30']), [nine])
  })

  it('count a missing or null field as different from everything', () => {
    const filter = filtersOn([ten, nine, none], schema)
    assert.deepEqual(filter(['price', 'ne', '10']), [nine, none])
    assert.deepEqual(filter(['sold', 'ne', 'true']), [nine, none])
    assert.deepEqual(filter(['price', 'lt', '1000']), [ten, nine])
  })

  it('compare texts as texts, and find parts of them and elements of lists', () => {
    const filter = filtersOn([ten, nine, none], schema)
    assert.deepEqual(filter(['name', 'eq', 'Ten']), [ten])
    assert.deepEqual(filter(['name', 'gt', 'Z']), [nine])
    assert.deepEqual(filter(['name', 'contains', 'NE']), [nine, none])
    assert.deepEqual(filter(['tags', 'contains', 'red']), [ten])
    assert.deepEqual(filter(['tags', 'contains', 'RED']), [ten])
    assert.deepEqual(filter(['tags', 'contains', 're']), [])
  })

  it('find parts of texts and elements of lists without regard to case and accents', () => {
    const records = ['Hábito', 'HABITO', 'Straße', 'ΟΔΟΣ', 'οδοσ α', '각', 'ﬁn', 'a\tÉ'].map((a) => ({
      a,
      b: ['x', a],
      c: { d: a },
    }))
    const filter = filtersOn(records, undefined)
    const found = (field: string, value: string) => filter([field, 'contains', value]).map(({ a }) => a)
    for (const [value, ...texts] of [
      ['hábito', 'Hábito', 'HABITO'],
      ['STRASSE', 'Straße'],
      ['ΟΔΟΣ', 'ΟΔΟΣ', 'οδοσ α'],
      ['οδος', 'ΟΔΟΣ', 'οδοσ α'],
      ['\u1100\u1161\u11a8', '각'],
      ['가'],
      ['FI', 'ﬁn'],
      ['\te', 'a\tÉ'],
      ['\u0301'],
    ]) {
      assert.deepEqual(found('a', value ?? ''), texts, value)
      assert.deepEqual(found('c.d', value ?? ''), texts, value)
    }
    assert.deepEqual(found('b', 'HÁBITO'), ['Hábito', 'HABITO'])
    assert.deepEqual(found('b', 'strasse'), ['Straße'])
  })

  it('take the numbers that a record can have, and refuse the others', () => {
    const filter = filtersOn([{ price: 9_007_199_254_740_992 }, { price: -0.5 }], schema)
    assert.equal(filter(['price', 'eq', '9007199254740992']).length, 1)
    assert.equal(filter(['price', 'eq', '-5e-1']).length, 1)
    const refused = [
      '9007199254740993',
      '1e999',
      '0x10',
      '0b1',
      '0o7',
      ' 1',
      '01',
      '1.',
      '.5',
      '+1',
      '1_0',
      'Infinity',
      'NaN',
    ]
    for (const value of refused)
      for (const op of ['eq', 'ne', 'gte'] as const)
        assert.throws(() => filter(['price', op, value]), { code: 'invalid_query' }, value)
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (number) => {
        filter(['price', 'eq', JSON.stringify(number)])
      }),
      { numRuns: 50 },
    )
  })

  it('compare dates and times as instants, and parts of them as texts', () => {
    const [evening, midnight, noon] = ['2026-01-01T01:30:00+02:00', '2026-01-01T00:00:00Z', '2026-01-01T12:00:00Z']
    const records = [...[evening, midnight, noon].map((at) => ({ at })), { at: 'soon', on: '2026-01-01' }, {}]
    const dated = { type: 'string', format: 'date-time' }
    const withTimes = {
      properties: { at: { $ref: '#/$defs/at' }, on: { type: 'string', format: 'date' } },
      $defs: { at: dated },
    }
    const filter = filtersOn(records, withTimes)
    const times = (op: FieldFilter['op'], value: string) => filter(['at', op, value]).map(({ at }) => at)
    assert.deepEqual(times('gte', midnight), [midnight, noon])
    assert.deepEqual(times('lt', '2026-01-01'), [evening])
    assert.deepEqual(times('eq', '2025-12-31T23:30:00Z'), [evening])
    assert.deepEqual(times('ne', '2026-01-01T13:00:00+01:00'), [evening, midnight, 'soon', undefined])
    assert.deepEqual(times('gte', '2026-01-01T1'), [noon, 'soon'])
    assert.deepEqual(times('eq', 'soon'), ['soon'])
    assert.deepEqual(times('contains', '00:00'), [midnight, noon])
    assert.deepEqual(filter(['on', 'gt', '2025-12-31T23:00:00Z'], ['on', 'lt', '2026-01-01T01:00:00Z']).length, 1)
  })

  it('take every field name literally, also if it ends in a backslash or contains SQL or an error message', () => {
    const names = [
      '\\',
      'a\\',
      'a\\"',
      '\\\\',
      '"',
      'no such table\\',
      'no such index: x\\',
      "'; DROP TABLE pages",
      '$[0]',
      '\u2028',
    ]
    for (const name of names) {
      const record = { [name]: 'found' }
      const { find } = indexOf([record, { other: 'x' }])
      assert.deepEqual(find({ filter: [{ field: name, op: 'eq', value: 'found' }] }), [record], name)
      assert.deepEqual(find({ sort: [{ field: name, descending: true }] })[0], record, name)
    }
  })

  it('compare values as text unless a schema says otherwise', () => {
    const filter = filtersOn([{ x: 10 }, { x: '10' }, { x: true }, { x: null }, {}], undefined)
    assert.deepEqual(filter(['x', 'eq', '10']), [{ x: 10 }, { x: '10' }])
    assert.deepEqual(filter(['x', 'eq', 'true']), [{ x: true }])
    assert.deepEqual(filter(['x', 'gt', '9']), [{ x: true }])
  })

  it('take the names of fields literally', () => {
    const odd = { 'a"b': 1, "c'd": 1, 'e\\f': 1, $: 1, '[0]': 1, '*': 1, é: 1 }
    const filter = filtersOn([odd, {}], undefined)
    for (const field of Object.keys(odd)) assert.deepEqual(filter([field, 'eq', '1']), [odd], field)
  })

  it('refuse fields and values that the schema rules out', () => {
    const filter = filtersOn([ten], schema)
    assert.throws(() => filter(['weight', 'eq', '1']), {
      code: 'invalid_query',
      message: /no field "weight".*price, sold/,
    })
    assert.throws(() => filter(['price', 'eq', 'ten']), { code: 'invalid_query' })
    assert.throws(() => filter(['price', 'eq', '']), { code: 'invalid_query' })
    assert.throws(() => filter(['sold', 'eq', '1']), { code: 'invalid_query' })
    assert.throws(() => filter(['price', 'contains', '1']), { code: 'invalid_query' })
    for (const field of ['', '.', 'price.', 'a\0b', 'x'.repeat(600), Array(30).fill('x').join('.')]) {
      assert.throws(() => filter([field, 'eq', '1']), { code: 'invalid_query' })
    }
  })

  it('refuse a field that no record has if the schema lists the fields, unless it says that there may be others', () => {
    const open = {
      properties: {
        year: { type: 'integer' },
        author: { properties: { age: {}, name: {} } },
        any: { properties: { a: {} }, additionalProperties: true },
        some: { properties: { a: {} }, anyOf: [{}] },
        none: { properties: {} },
      },
    }
    const { find } = indexOf([{ year: 1, extra: 'x', author: { born: null } }], open)
    const ask = (field: string) => {
      const filtered = find({ filter: [{ field, op: 'ne', value: 'y' }] })
      assert.deepEqual(find({ sort: [{ field, descending: true }] }), filtered)
      return filtered.length
    }
    for (const field of ['extra', 'author.name', 'author.born', 'any.b', 'some.b', 'none.b', 'year.a'])
      assert.equal(ask(field), 1, field)
    for (const [field, message] of [
      ['yaer', /no field "yaer"\. It has: year, author, any, some, none\. .*"additionalProperties": true/],
      ['since desc', /no field "since desc"/],
      ['author.nmae', /It has: author\.age, author\.name\./],
    ] as const)
      for (const query of [
        { filter: [{ field, op: 'eq', value: 'y' }] },
        { sort: [{ field, descending: false }] },
      ] as const)
        assert.throws(() => find(query), { code: 'invalid_query', message }, field)
    assert.equal(
      indexOf([{ year: 1 }], { type: 'object' }).find({ sort: [{ field: 'b', descending: false }] }).length,
      1,
    )
  })

  it('accept any string as a field and a value', () => {
    const filter = filtersOn([ten, { x: '\ud800\0' }], undefined)
    const field = anyText({ minLength: 1 }).filter((name) => !/[.\0]/.test(name))
    const op = fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains')
    fc.assert(
      fc.property(field, op, anyText(), (name, sign, value) => {
        filter([name, sign, value], ['x', sign, value])
      }),
      { numRuns: 300 },
    )
  })
})
