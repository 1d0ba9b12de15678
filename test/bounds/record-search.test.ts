import assert from 'node:assert/strict'
import type { RecordQuery } from '../../src/index/tables/rows.js'
import { NEWS, recordId, useRecords } from '../index/use-records.js'
import { processorMs } from '../tasks/analysis/processor-time.js'

describe('searched records', () => {
  const indexOf = useRecords()

  it('are found, filtered and sorted among 10,000 in less than 100 ms of processor time', () => {
    const { history, list, catchUp } = indexOf([])
    const words = ['red', 'green', 'blue', 'white', 'black']
    const made = Array.from({ length: 10_000 }, (_, number) => [
      recordId(number),
      {
        title: `${words[number % 5]} thing ${number}`,
        price: number % 997,
        text: 'lorem ipsum dolor sit amet '.repeat(10),
      },
    ])
    history.commit({ records: { [NEWS]: Object.fromEntries(made) } })
    catchUp(history)
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
      const times = Array.from({ length: 5 }, () =>
        processorMs(() => assert.equal(list({ schema, ...query }).rows.length, 100)),
      )
      assert.ok(Math.min(...times) < 100, `${JSON.stringify(query)}: ${times.join(' ')} ms`)
    }
  })
})
