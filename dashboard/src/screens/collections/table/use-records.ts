// The records of a collection as the address asks for them: words, conditions and order.

import { useState } from 'preact/hooks'
import { type Site, siteApi, type StoredRecord } from '../../../api/client.js'
import { type LoadedList, useList } from '../../../api/use-list.js'
import { useSettled } from '../../../api/use-settled.js'
import { replaceQuery, useQuery } from '../../../browser/router.js'
import type { Field } from '../fields/field.js'
import { type Condition, readConditions, writeCondition } from './conditions.js'

const SEARCH_DELAY_MS = 250
const FIRST_SLICE = 200
const NEXT_SLICE = 1000

export interface RecordList {
  records: LoadedList<StoredRecord>
  /** Whether the list leaves out records on purpose. */
  isNarrowed: boolean
  words: string
  setWords: (words: string) => void
  sort: string
  setSort: (sort: string) => void
  conditions: readonly Condition[]
  setConditions: (conditions: readonly Condition[]) => void
}

/** Without a schema, and until it is known, conditions may be about any field. */
export function useRecords(site: Site, id: string, fields: readonly Field[] | undefined): RecordList {
  const query = useQuery()
  const [words, setWords] = useState(query.get('q') ?? '')
  const q = useSettled(words.trim(), SEARCH_DELAY_MS)
  const sort = query.get('sort') ?? ''
  const where = query.get('where') ?? ''
  const conditions = readConditions(where === '' ? [] : where.split('\n'), fields)
  const records = useList<StoredRecord>(
    `records ${id} ${q} ${sort} ${JSON.stringify(conditions)}`,
    (cursor, signal) => {
      const limit = cursor.cursor === undefined ? FIRST_SLICE : NEXT_SLICE
      const asked = { limit, ...(q !== '' && { q }), ...(sort !== '' && { sort }), ...cursor }
      const filter = filterOf(conditions)
      const params = { path: { id }, query: { ...asked, ...(filter && { filter }) } }
      return siteApi(site).GET('/collections/{id}/records', { params, signal })
    },
  )
  return {
    records,
    isNarrowed: q !== '' || conditions.length > 0,
    words,
    setWords(next) {
      setWords(next)
      replaceQuery({ q: next })
    },
    sort,
    setSort: (next) => replaceQuery({ sort: next }),
    conditions,
    setConditions: (next) => replaceQuery({ where: next.map(writeCondition).join('\n') }),
  }
}

type Filter = Record<string, Partial<Record<Condition['op'], string>>>

function filterOf(conditions: readonly Condition[]): Filter | undefined {
  if (conditions.length === 0) return undefined
  const filter: Filter = {}
  for (const { field, op, value } of conditions) filter[field] = { ...filter[field], [op]: value }
  return filter
}
