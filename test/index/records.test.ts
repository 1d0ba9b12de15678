import assert from 'node:assert/strict'
import { NEWS, PEOPLE, recordId, useRecords } from './use-records.js'
import { SITE } from './site-history.js'

describe('records', () => {
  const indexOf = useRecords()

  it('are answered with their data, times and the commit of their last change', () => {
    const { index, history, catchUp } = indexOf([{ title: 'One', odd: '\ud800\0', deep: { list: [1, null, 1.5e300] } }])
    const data = { title: 'Two' }
    const { oid } = history.commit({ records: { [NEWS]: { [recordId(1)]: data } } })
    catchUp(history)
    assert.deepEqual(index.records.find(NEWS, recordId(0))?.data, {
      title: 'One',
      odd: '\ud800\0',
      deep: { list: [1, null, 1.5e300] },
    })
    assert.deepEqual(index.records.find(NEWS, recordId(1)), {
      siteId: SITE,
      collectionId: NEWS,
      id: recordId(1),
      data,
      etag: oid,
      createdAt: '1970-01-01T00:05:00Z',
      updatedAt: '1970-01-01T00:05:00Z',
    })
  })

  it('come in the order of their creation, in slices that writes do not shift', () => {
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

  it('are hidden while their collection is gone, and reappear when it returns', () => {
    const { index, history, catchUp, list } = indexOf([{ n: 1 }])
    const before = list({})
    history.commit({ collections: { [NEWS]: null } })
    catchUp(history)
    assert.deepEqual(list({}), { rows: [], nextCursor: null })
    assert.equal(index.records.find(NEWS, recordId(0)), undefined)
    assert.equal(index.collections.find(NEWS), undefined)
    assert.deepEqual(index.collections.list({ limit: 10 }).rows, [])
    history.commit({ collections: { [NEWS]: { name: 'news' } } })
    catchUp(history)
    assert.deepEqual(list({}), before)
    assert.equal(index.collections.find(NEWS)?.createdAt, '1970-01-01T00:01:40Z')
  })

  it('have their collections listed in the order of creation', () => {
    const { index, history, catchUp } = indexOf([])
    const schema = { type: 'object', properties: { name: { type: 'string' } } }
    const { oid } = history.commit({ collections: { [PEOPLE]: { name: 'people', schema } } })
    catchUp(history)
    const first = index.collections.list({ limit: 1 })
    const second = index.collections.list({ limit: 1, cursor: first.nextCursor ?? '' })
    assert.deepEqual([first.rows[0]?.id, second.rows[0]?.id, second.nextCursor], [NEWS, PEOPLE, null])
    assert.deepEqual([second.rows[0]?.schema, second.rows[0]?.etag], [schema, oid])
  })
})
