// A site at a glance: its start page, its first pages, and who changed what last. One round trip, since both requests go at once.

import { api, type Commit, type Page, type Site, siteApi, sliceOf } from '../../api/client.js'

export interface Glance {
  /** The first pages by path; a small site has no more. */
  pages: readonly Page[]
  /** The page at `/`. */
  start: Page | undefined
  last: Commit | undefined
}

/** Enough to know the titles of a small site. */
const PAGES = 30

export async function glanceAt(site: Site, signal: AbortSignal): Promise<Glance> {
  const [pages, commits] = await Promise.all([
    siteApi(site).GET('/pages', { params: { query: { limit: PAGES } }, signal }),
    api.GET('/sites/{id}/commits', { params: { path: { id: site.id }, query: { limit: 1 } }, signal }),
  ])
  const { entries } = sliceOf(pages)
  return { pages: entries, start: entries.find(({ path }) => path === '/'), last: sliceOf(commits).entries[0] }
}

/** Whether nobody has written more than a start page yet. */
export function isNew({ pages }: Glance): boolean {
  return pages.length === 0 || (pages.length === 1 && pages[0]?.path === '/')
}
