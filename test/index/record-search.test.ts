import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { NEWS, PEOPLE, recordId, useRecords } from './use-records.js'
import { anyText } from '../texts/any-text.js'

describe('searched records', () => {
  const indexOf = useRecords()

  it('have every word, in any place and any case, the last word by its beginning', () => {
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

  it('are found by their current words', () => {
    const { find, history, catchUp } = indexOf([{ a: 'before' }, { a: 'other' }])
    history.commit({ records: { [NEWS]: { [recordId(0)]: { a: 'after' }, [recordId(1)]: null } } })
    catchUp(history)
    assert.deepEqual([find({ q: 'before' }), find({ q: 'other' }), find({ q: 'after' })], [[], [], [{ a: 'after' }]])
  })

  it('are never from another collection', () => {
    const { history, catchUp, find } = indexOf([{ a: 'word' }])
    history.commit({
      collections: { [PEOPLE]: { name: 'people' } },
      records: { [PEOPLE]: { [recordId(1)]: { a: 'word' } } },
    })
    catchUp(history)
    assert.equal(find({ q: 'word' }).length, 1)
    assert.deepEqual(find({ q: PEOPLE.replaceAll('-', '') }), [])
  })

  it('can be searched for any string', () => {
    const { list } = indexOf([{ a: 'word' }])
    const syntax = fc.constantFrom('"', '*', 'AND', 'NOT', 'NEAR(', ')', ':', '^', '-', '+', '{', 'scope', '\0', ' ')
    fc.assert(
      fc.property(
        fc.oneof(
          anyText(),
          fc.array(syntax).map((parts) => parts.join('')),
        ),
        (q) => {
          list({ q })
        },
      ),
      { numRuns: 150 },
    )
    list({ q: 'word '.repeat(5_000) })
  })
})
