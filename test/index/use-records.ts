// A collection of records in an index of its own.

import assert from 'node:assert/strict'
import { listRecords } from '../../src/index/queries/list-records.js'
import type { Listing, RecordQuery, RecordRow } from '../../src/index/tables/rows.js'
import { followText, type TestIndex, useIndex } from './open-test-index.js'
import { SITE, SiteHistory } from './site-history.js'

export const NEWS = '0c000000-0000-4000-8000-000000000001'
export const PEOPLE = '0c000000-0000-4000-8000-000000000002'

/** Ids whose order is the opposite of the order of making, so that the two cannot be taken for each other. */
export function recordId(number: number): string {
  return `0d000000-0000-4000-8000-${String(999_999 - number).padStart(12, '0')}`
}

export interface TestRecords extends TestIndex {
  history: SiteHistory
  list: (query: Partial<RecordQuery>) => Listing<RecordRow>
  /** The data of the records that `list` finds. */
  find: (query: Partial<RecordQuery>) => Record<string, unknown>[]
}

/** Call it in a `describe`; the function it returns indexes the collection NEWS with these records, each by its own commit. */
export function useRecords(): (records: Record<string, unknown>[], schema?: object) => TestRecords {
  const openIndex = useIndex()
  return (records, schema) => {
    const opened = openIndex()
    const history = new SiteHistory()
    history.commit({ collections: { [NEWS]: { name: 'news', ...(schema && { schema }) } } })
    for (const [number, data] of records.entries()) {
      history.commit({ records: { [NEWS]: { [recordId(number)]: data } } })
    }
    opened.catchUp(history)
    const list = (query: Partial<RecordQuery>) => {
      if (query.q !== undefined) followText(opened)
      const answer = listRecords({
        dataDir: opened.folder,
        siteId: SITE,
        asOf: opened.index.position?.ordinal ?? 0,
        collectionId: NEWS,
        query: { limit: 100, schema: schema ?? null, ...query },
      })
      return 'answer' in answer ? answer.answer : assert.fail(JSON.stringify(answer))
    }
    return { ...opened, history, list, find: (query) => list(query).rows.map(({ data }) => data) }
  }
}
