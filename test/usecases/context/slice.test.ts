import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { readSlice, takeSlice } from '../../../src/usecases/context/slice.js'

/** Returns a list of that many rows, with every third one wanted, and counts how many were read. */
function longList(length: number) {
  const rows = Array.from({ length }, (_, n) => String(n).padStart(5, '0'))
  const found = { reads: 0, rows: 0 }
  const list = {
    read: async (after: string, count: number) => {
      const read = rows.filter((row) => row > after).slice(0, count)
      found.reads++
      found.rows += read.length
      return read
    },
    keyOf: (row: string) => row,
    isWanted: (row: string) => Number(row) % 3 === 0,
  }
  return { rows, list, found }
}

describe('a slice of a long list', () => {
  it('equals that part of the whole list, and leads on to all rows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 100 }), async (length, limit) => {
        const { rows, list } = longList(length)
        const wanted = rows.filter(list.isWanted)
        const taken: string[] = []
        for (let cursor: string | undefined | null; cursor !== null; ) {
          const slice = await readSlice('rows', list, { cursor, limit })
          assert.deepEqual(slice, takeSlice('rows', wanted, list.keyOf, { cursor, limit }))
          taken.push(...slice.rows)
          cursor = slice.nextCursor
        }
        assert.deepEqual(taken, wanted)
      }),
      { numRuns: 30 },
    )
  })

  it('costs only the rows that it answers and skips, for any length of the list', async () => {
    const { list, found } = longList(20_000)
    assert.equal((await readSlice('rows', list, { limit: 50 })).rows.length, 50)
    assert.deepEqual(found, { reads: 1, rows: 200 })
    const none = { ...list, isWanted: () => false }
    assert.deepEqual(await readSlice('rows', none, { limit: 50 }), { rows: [], nextCursor: null })
    assert.deepEqual(found, { reads: 102, rows: 20_200 })
  })
})
