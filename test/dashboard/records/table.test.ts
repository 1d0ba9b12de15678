import assert from 'node:assert/strict'
import { fieldsOf } from '../../../dashboard/src/screens/collections/fields/read-schema.js'
import { cellText } from '../../../dashboard/src/screens/collections/table/cell-text.js'
import {
  canFilter,
  canSort,
  operatorsOf,
  readConditions,
  wordsOfCondition,
  writeCondition,
} from '../../../dashboard/src/screens/collections/table/conditions.js'

const fields =
  fieldsOf({
    properties: {
      title: { type: 'string' },
      year: { type: 'integer' },
      read: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      author: { type: 'object', properties: { name: { type: 'string' } } },
      'a:b': { type: 'string' },
      'a.b': { type: 'string' },
    },
  }) ?? []

describe('the conditions of the table', () => {
  it('are offered for the fields that the service can compare', () => {
    assert.deepEqual(
      fields.filter(canFilter).map(({ name }) => name),
      ['title', 'year', 'read', 'tags', 'a:b'],
    )
    assert.deepEqual(
      fields.filter(canSort).map(({ name }) => name),
      ['title', 'year', 'read', 'a:b'],
    )
    for (const { shape } of fields.filter(canFilter)) assert.ok(operatorsOf(shape).length > 0)
  })

  it('are kept in the address, and dropped if they are none of this collection', () => {
    for (const condition of [
      { field: 'year', op: 'gte', value: '1990' },
      { field: 'a:b', op: 'eq', value: 'x:y' },
    ] as const)
      assert.deepEqual(readConditions([writeCondition(condition)], fields), [condition])
    assert.deepEqual(readConditions(['year:contains:1', 'none:eq:1', 'year:eq:', 'nonsense'], fields), [])
  })

  it('are told in words', () => {
    assert.equal(wordsOfCondition({ field: 'year', op: 'gte', value: '1990' }, fields), 'Year at least 1990')
    assert.equal(wordsOfCondition({ field: 'read', op: 'eq', value: 'true' }, fields), 'Read is yes')
  })
})

describe('a cell of the table', () => {
  it('shows values as people read them', () => {
    const choices = [{ value: 1, label: 'Easy' }]
    assert.equal(cellText({ kind: 'yes or no' }, false), 'No')
    assert.equal(cellText({ kind: 'choice', choices }, 1), 'Easy')
    assert.equal(cellText({ kind: 'choice', choices }, 2), '2')
    assert.equal(cellText({ kind: 'list', of: { kind: 'text' } }, ['a', 'b']), 'a, b')
    assert.equal(cellText({ kind: 'text' }, null), '')
    assert.equal(cellText({ kind: 'date' }, 'next week'), 'next week')
    assert.match(cellText({ kind: 'date' }, '2026-11-29'), /29/)
    assert.equal(cellText({ kind: 'json' }, { a: 1 }), '{"a":1}')
  })
})
