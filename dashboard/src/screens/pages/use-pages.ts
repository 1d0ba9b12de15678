// The pages of a site. Up to a limit the browser holds them in memory, so that searching and sorting need no request.
// Only the first pages of a larger site are held, and the service searches all of them.

import { useMemo } from 'preact/hooks'
import { type Page, type Site, siteApi, type Slice } from '../../api/client.js'
import { type LoadedList, readAll, useList } from '../../api/use-list.js'
import { type Loaded, useLoaded } from '../../api/use-loaded.js'
import type { TreeNode } from '../../parts/lists/tree.js'
import { ALL, MIN_PAGES, toTree } from './folders.js'
import { ANY, NO_TEMPLATE, type Sort, type Status, type View } from './view.js'

/** Pages held in memory: about 8 MB of JSON. */
export const MAX_HELD_PAGES = 20_000

const SLICE = 1000

/** Loads every page of the status, or the first `MAX_HELD_PAGES`, by path. `nextCursor` is null if these are all. */
export function useHeldPages(site: Site, status: Status): Loaded<Slice<Page>> {
  return useLoaded(`pages ${site.id} ${status}`, (signal, show) =>
    readAll<Page>((cursor) => readPages(site, { status, ...cursor }, signal), {
      max: MAX_HELD_PAGES,
      onSlice: ({ entries }) => show({ entries, nextCursor: null }),
    }),
  )
}

/** Returns the folders of a site whose pages are all held; undefined for a few pages, or where all are in one folder. */
export function useTree(held: Slice<Page> | undefined): TreeNode[] | undefined {
  return useMemo(() => {
    if (held === undefined || held.nextCursor !== null || held.entries.length < MIN_PAGES) return undefined
    const tree = toTree(held.entries)
    return tree.length > 1 ? tree : undefined
  }, [held])
}

/** Loads the pages that the service finds, by path. */
export function useFoundPages(site: Site, status: Status, q: string): LoadedList<Page> {
  return useList(`found ${site.id} ${status} ${q}`, (cursor, signal) =>
    readPages(site, { status, q, ...cursor }, signal),
  )
}

/** Returns the held pages of the folder and the template, with all words in path or title, sorted. */
export function usePageRows(pages: readonly Page[], { words: q, sort, template, folder }: View): Page[] {
  return useMemo(() => {
    const words = q.toLowerCase().split(/\s+/).filter(Boolean)
    const found = pages.filter(({ path, title, templateId }) => {
      if (folder !== ALL && !path.startsWith(folder)) return false
      if (template !== ANY && (templateId ?? NO_TEMPLATE) !== template) return false
      const text = `${path} ${title ?? ''}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    return found.toSorted(ORDERS[sort])
  }, [pages, q, sort, template, folder])
}

function readPages(site: Site, query: { status: Status; q?: string; cursor?: string }, signal: AbortSignal | null) {
  return siteApi(site).GET('/pages', { params: { query: { limit: SLICE, ...query } }, signal })
}

const compare = new Intl.Collator(undefined, { numeric: true }).compare

const ORDERS: Readonly<Record<Sort, (a: Page, b: Page) => number>> = {
  path: (a, b) => compare(a.path, b.path),
  newest: (a, b) => b.updatedAt.localeCompare(a.updatedAt) || compare(a.path, b.path),
  title: (a, b) => compare(a.title ?? '', b.title ?? '') || compare(a.path, b.path),
  size: (a, b) => b.size - a.size || compare(a.path, b.path),
}
