// The pages of a site in the browser's memory, so that searching and sorting need no request.

import { useMemo } from 'preact/hooks'
import { type Page, type Site, siteApi, type Slice } from '../../api/client.js'
import { readAll } from '../../api/use-list.js'
import { type Loaded, useLoaded } from '../../api/use-loaded.js'

export const STATUSES = ['published', 'unpublished', 'all'] as const
export type Status = (typeof STATUSES)[number]

export const SORTS = ['path', 'newest', 'title', 'size'] as const
export type Sort = (typeof SORTS)[number]

export interface PageChoice {
  status: Status
  sort: Sort
  /** Words that must all be in path or title. */
  q: string
}

const MAX_PAGES = 20_000

const compare = new Intl.Collator(undefined, { numeric: true }).compare

const ORDERS: Readonly<Record<Sort, (a: Page, b: Page) => number>> = {
  path: (a, b) => compare(a.path, b.path),
  newest: (a, b) => b.updatedAt.localeCompare(a.updatedAt) || compare(a.path, b.path),
  title: (a, b) => compare(a.title ?? '', b.title ?? '') || compare(a.path, b.path),
  size: (a, b) => b.size - a.size || compare(a.path, b.path),
}

/** `pages`: all of the status; `rows`: those that were searched for, in order. */
export function usePages(site: Site, { status, sort, q }: PageChoice): { pages: Loaded<Slice<Page>>; rows: Page[] } {
  const pages = useLoaded<Slice<Page>>(`pages ${site.id} ${status}`, (signal, show) =>
    readAll<Page>(
      (cursor, abort) =>
        siteApi(site).GET('/pages', { params: { query: { status, limit: 1000, ...cursor } }, signal: abort }),
      { max: MAX_PAGES, signal, onSlice: ({ entries }) => show({ entries, nextCursor: null }) },
    ),
  )
  const rows = useMemo(() => choose(pages.data?.entries ?? [], q, sort), [pages.data, q, sort])
  return { pages, rows }
}

function choose(pages: readonly Page[], q: string, sort: Sort): Page[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const found = pages.filter(({ path, title }) => {
    const text = `${path} ${title ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return found.toSorted(ORDERS[sort])
}
