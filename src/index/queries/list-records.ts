// Lists records, searched, filtered and sorted over all records of a collection, by as many values as the client asks for.

import type { Listing, RecordQuery, RecordRow } from '../tables/rows.js'
import type { Sql } from '../tables/sql.js'
import { wordOfCollection } from '../text/store-text.js'
import { parseSearch, toMatch } from '../text/words.js'
import { type IndexAnswer, type IndexQuery, readIndex, readText } from './index-reader.js'

export interface RecordsQuery extends IndexQuery {
  collectionId: string
  query: RecordQuery
}

/** Lists the records. Throws `invalid_query` and `invalid_cursor`. */
export function listRecords(input: RecordsQuery): IndexAnswer<Listing<RecordRow>> {
  const { collectionId, query } = input
  return readIndex(input, (index) => {
    const list = (among?: readonly string[]) => ({
      answer: index.records.list(collectionId, { ...query, among }),
    })
    if (query.q === undefined || query.q.trim() === '') return list()
    const found = readText(input, index, (text) => findRecords(text, collectionId, query.q ?? ''))
    return found === undefined ? { behind: true } : list(found)
  })
}

/** Finds the ids of the records of a collection that contain all that `q` asks for. */
function findRecords(text: Sql, collectionId: string, q: string): string[] {
  const search = parseSearch(q)
  if (search === undefined) return []
  const match = `collection : "${wordOfCollection(collectionId)}" AND body : (${toMatch(search)})`
  const query = `SELECT record_id FROM records WHERE row_id IN (SELECT rowid FROM record_words WHERE record_words MATCH ?)`
  return text.all<{ record_id: string }>(query, [match]).map(({ record_id }) => record_id)
}
