import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { FieldFilter, FieldSort, RecordQuery } from '../../../src/catalog/index/rows.js'
import { useIndex } from './open-test-index.js'
import { SITE, SiteHistory } from './site-history.js'

const NEWS = '0c000000-0000-4000-8000-000000000001'
const PEOPLE = '0c000000-0000-4000-8000-000000000002'

/** Ids whose order is the opposite of the order of making, so that the two cannot be taken for each other. */
function recordId(number: number): string {
  return `0d000000-0000-4000-8000-${String(999_999 - number).padStart(12, '0')}`
}

describe('records', () => {
  const openIndex = useIndex()

  /** One collection with these records, each made by its own commit. */
  function indexOf(records: Record<string, unknown>[], schema?: object) {
    const opened = openIndex()
    const history = new SiteHistory()
    history.commit({ collections: { [NEWS]: { name: 'news', ...(schema && { schema }) } } })
    for (const [number, data] of records.entries())
      history.commit({ records: { [NEWS]: { [recordId(number)]: data } } })
    opened.catchUp(history)
    const list = (query: Partial<RecordQuery>) =>
      opened.index.records(SITE, NEWS, { limit: 100, schema: schema ?? null, ...query })
    const find = (query: Partial<RecordQuery>) => list(query).rows.map(({ data }) => data)
    return { ...opened, history, list, find }
  }

  it('are answered with their data, times and the commit of their last change', () => {
    const { index, history, catchUp } = indexOf([{ title: 'One', odd: '\ud800\0', deep: { list: [1, null, 1.5e300] } }])
    const data = { title: 'Two' }
    const { oid } = history.commit({ records: { [NEWS]: { [recordId(1)]: data } } })
    catchUp(history)
    assert.deepEqual(index.record(SITE, NEWS, recordId(0))?.data, {
      title: 'One',
      odd: '\ud800\0',
      deep: { list: [1, null, 1.5e300] },
    })
    assert.deepEqual(index.record(SITE, NEWS, recordId(1)), {
      siteId: SITE,
      collectionId: NEWS,
      id: recordId(1),
      data,
      etag: oid,
      createdAt: '1970-01-01T00:05:00Z',
      updatedAt: '1970-01-01T00:05:00Z',
    })
  })

  it('come in the order they were made, in slices that writes do not shift', () => {
    const { list, history, catchUp } = indexOf([{ n: 1 }, { n: 2 }, { n: 3 }])
    const first = list({ limit: 2 })
    history.commit({ records: { [NEWS]: { [recordId(0)]: null, [recordId(2)]: { n: 33 }, [recordId(9)]: { n: 4 } } } })
    catchUp(history)
    const second = list({ limit: 2, cursor: first.nextCursor ?? '' })
    assert.deepEqual(
      [...first.rows, ...second.rows].map(({ data }) => data['n']),
      [1, 2, 33, 4],
    )
    assert.equal(second.nextCursor, null)
  })

  it('are hidden while their collection is gone, and there again when it returns', () => {
    const { index, history, catchUp, list } = indexOf([{ n: 1 }])
    const before = list({})
    history.commit({ collections: { [NEWS]: null } })
    catchUp(history)
    assert.deepEqual(list({}), { rows: [], nextCursor: null })
    assert.equal(index.record(SITE, NEWS, recordId(0)), undefined)
    assert.equal(index.collection(SITE, NEWS), undefined)
    assert.deepEqual(index.collections(SITE, { limit: 10 }).rows, [])
    history.commit({ collections: { [NEWS]: { name: 'news' } } })
    catchUp(history)
    assert.deepEqual(list({}), before)
    assert.equal(index.collection(SITE, NEWS)?.createdAt, '1970-01-01T00:01:40Z')
  })

  it('are in collections listed in the order those were made', () => {
    const { index, history, catchUp } = indexOf([])
    const schema = { type: 'object', properties: { name: { type: 'string' } } }
    const { oid } = history.commit({ collections: { [PEOPLE]: { name: 'people', schema } } })
    catchUp(history)
    const first = index.collections(SITE, { limit: 1 })
    const second = index.collections(SITE, { limit: 1, cursor: first.nextCursor ?? '' })
    assert.deepEqual([first.rows[0]?.id, second.rows[0]?.id, second.nextCursor], [NEWS, PEOPLE, null])
    assert.deepEqual([second.rows[0]?.schema, second.rows[0]?.etag], [schema, oid])
  })

  describe('searched', () => {
    it('are those with every word, wherever and in whatever case, the last word begun', () => {
      const { find } = indexOf([
        { a: 'The quick fox' },
        { b: { c: ['Quick thinking', 'FÖX'] } },
        { d: 'slow', number: 42 },
      ])
      assert.equal(find({ q: 'quick fox' }).length, 2)
      assert.equal(find({ q: 'thin' }).length, 1)
      assert.equal(find({ q: 'thin quick' }).length, 0)
      assert.equal(find({ q: '42' }).length, 1)
      assert.equal(find({ q: '  ' }).length, 3)
      assert.equal(find({ q: '***' }).length, 0)
    })

    it('are found by the words they have now', () => {
      const { find, history, catchUp } = indexOf([{ a: 'before' }, { a: 'other' }])
      history.commit({ records: { [NEWS]: { [recordId(0)]: { a: 'after' }, [recordId(1)]: null } } })
      catchUp(history)
      assert.deepEqual([find({ q: 'before' }), find({ q: 'other' }), find({ q: 'after' })], [[], [], [{ a: 'after' }]])
    })

    it('are never those of another collection or site', () => {
      const { index, history, catchUp, find } = indexOf([{ a: 'word' }])
      history.commit({
        collections: { [PEOPLE]: { name: 'people' } },
        records: { [PEOPLE]: { [recordId(1)]: { a: 'word' } } },
      })
      catchUp(history)
      index.apply(PEOPLE, history.facts, history.read)
      assert.equal(find({ q: 'word' }).length, 1)
      assert.deepEqual(find({ q: PEOPLE.replaceAll('-', '') }), [])
    })

    it('take any string as a search', () => {
      const { list } = indexOf([{ a: 'word' }])
      const syntax = fc.constantFrom('"', '*', 'AND', 'NOT', 'NEAR(', ')', ':', '^', '-', '+', '{', 'scope', '\0', ' ')
      fc.assert(
        fc.property(
          fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.array(syntax).map((parts) => parts.join('')),
          ),
          (q) => {
            list({ q })
          },
        ),
        { numRuns: 500 },
      )
      list({ q: 'word '.repeat(5_000) })
    })
  })

  describe('filtered', () => {
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
      assert.deepEqual(filter(['tags', 'contains', 're']), [])
    })

    it('compare values as text where no schema says otherwise', () => {
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

    it('refuse what the schema rules out', () => {
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
      assert.deepEqual(filter(['author.name', 'eq', 'Ada']), [])
    })

    it('take any string as a field and a value', () => {
      const filter = filtersOn([ten, { x: '\ud800\0' }], undefined)
      const field = fc.string({ unit: 'binary', minLength: 1 }).filter((name) => !/[.\0]/.test(name))
      const op = fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains')
      fc.assert(
        fc.property(field, op, fc.string({ unit: 'binary' }), (name, sign, value) => {
          filter([name, sign, value], ['x', sign, value])
        }),
        { numRuns: 300 },
      )
    })
  })

  describe('sorted', () => {
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
      '\ud800',
      'x'.repeat(300),
    ]

    function walk(
      list: (query: Partial<RecordQuery>) => ReturnType<ReturnType<typeof indexOf>['list']>,
      query: Partial<RecordQuery>,
    ) {
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

    it('come with missing values first, then numbers, then texts, and backwards', () => {
      const { find } = indexOf([{ n: 'b' }, { n: 2 }, {}, { n: 'a' }, { n: 10 }])
      const sorted = (descending: boolean) => find({ sort: [{ field: 'n', descending }] }).map(({ n }) => n)
      assert.deepEqual(sorted(false), [undefined, 2, 10, 'a', 'b'])
      assert.deepEqual(sorted(true), ['b', 'a', 10, 2, undefined])
    })

    it('are all listed once, whatever their values, in slices of any size', () => {
      const { list } = indexOf(values.flatMap((a) => [{ a, b: 1 }, { a, b: 'x' }, { a }]))
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

  it('are searched, filtered and sorted among 10,000 in less than 100 ms', () => {
    const opened = openIndex()
    const history = new SiteHistory()
    const words = ['red', 'green', 'blue', 'white', 'black']
    const made = Array.from({ length: 10_000 }, (_, number) => [
      recordId(number),
      {
        title: `${words[number % 5]} thing ${number}`,
        price: number % 997,
        text: 'lorem ipsum dolor sit amet '.repeat(10),
      },
    ])
    history.commit({ collections: { [NEWS]: { name: 'news' } }, records: { [NEWS]: Object.fromEntries(made) } })
    opened.catchUp(history)
    const schema = { properties: { price: { type: 'number' } } }
    const queries: Partial<RecordQuery>[] = [
      { q: 'lorem blue' },
      { sort: [{ field: 'price', descending: true }] },
      {
        q: 'amet',
        filter: [{ field: 'price', op: 'lt', value: '500' }],
        sort: [{ field: 'title', descending: false }],
      },
    ]
    for (const query of queries) {
      const times = Array.from({ length: 5 }, () => {
        const start = performance.now()
        assert.equal(opened.index.records(SITE, NEWS, { limit: 100, schema, ...query }).rows.length, 100)
        return performance.now() - start
      })
      assert.ok(Math.min(...times) < 100, `${JSON.stringify(query)}: ${times.join(' ')} ms`)
    }
  })
})
