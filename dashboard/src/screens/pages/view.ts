// The view of the list that the address holds: search, filters, order and folder. Back returns to it.

import { useEffect, useState } from 'preact/hooks'
import { useSettled } from '../../api/use-settled.js'
import { replaceQuery, useQuery } from '../../browser/router.js'
import { ALL } from './folders.js'

export const STATUSES = ['published', 'unpublished', 'all'] as const
export type Status = (typeof STATUSES)[number]

export const SORTS = ['path', 'newest', 'title', 'size'] as const
export type Sort = (typeof SORTS)[number]

/** The texts to search: paths and titles, as in the list, or the text of the pages. */
export const PLACES = ['path and title', 'text'] as const
export type Place = (typeof PLACES)[number]

/** Pages of any template. */
export const ANY = ''
/** Pages made of no template. */
export const NO_TEMPLATE = 'none'

export interface View {
  status: Status
  sort: Sort
  place: Place
  words: string
  /** A template's id, `ANY` or `NO_TEMPLATE`. */
  template: string
  folder: string
}

export const SEARCH_DELAY_MS = 250

export interface HeldView {
  view: View
  setWords: (words: string) => void
  change: (changes: Partial<Record<'status' | 'sort' | 'in' | 'template' | 'folder', string>>) => void
}

export function useView(): HeldView {
  const query = useQuery()
  const [words, setWords] = useSearch(query.get('q') ?? '')
  return {
    view: {
      status: STATUSES.find((each) => each === query.get('status')) ?? 'published',
      sort: SORTS.find((each) => each === query.get('sort')) ?? 'path',
      place: PLACES.find((each) => each === query.get('in')) ?? 'path and title',
      words,
      template: query.get('template') ?? ANY,
      folder: query.get('folder') ?? ALL,
    },
    setWords,
    change: replaceQuery,
  }
}

/** Returns the words in the search field, and writes them to the address once the typing pauses. */
function useSearch(initial: string): [string, (words: string) => void] {
  const [words, setWords] = useState(initial)
  const settled = useSettled(words, SEARCH_DELAY_MS)
  useEffect(() => {
    if (settled !== initial) replaceQuery({ q: settled })
  }, [settled])
  return [words, setWords]
}
