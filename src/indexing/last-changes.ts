// What the index says of pages, for hosting: which never waits for the index and never depends on it.

import type { SiteIndex } from '../catalog/index/site-index.js'
import { pagePathOf } from '../model/paths/page-path.js'

export interface IndexInUse {
  index: SiteIndex
  /** Told of a site whose index is behind or cannot answer. */
  onBehind: (siteId: string) => void
}

/** When each published page last changed, in seconds, with its title, as of `commit`; undefined while the index is at another commit. */
export function lastChangesAt(
  parts: IndexInUse,
  siteId: string,
  commit: string,
): { path: string; time: number; title: string | null }[] | undefined {
  return askAt(parts, siteId, commit, (index) => index.pages.lastChanges(siteId))
}

export interface PageFacts {
  pageId: string
  /** Time of the commit that changed it last, in seconds. */
  changedAt: number
}

/** The page in a file as of `commit`; `unknown` while the index is at another commit, undefined where the file is not a page. */
export function pageFactsAt(
  parts: IndexInUse,
  siteId: string,
  commit: string,
  treePath: string,
): PageFacts | 'unknown' | undefined {
  const path = pagePathOf(treePath)
  if (path === undefined) return undefined
  const answer = askAt(parts, siteId, commit, (index) => ({ page: index.pages.findByPath(siteId, path) }))
  if (answer === undefined) return 'unknown'
  const { page } = answer
  return page && { pageId: page.id, changedAt: Date.parse(page.updatedAt) / 1000 }
}

function askAt<T>(
  { index, onBehind }: IndexInUse,
  siteId: string,
  commit: string,
  ask: (index: SiteIndex) => T,
): T | undefined {
  try {
    if (index.indexedCommit(siteId) === commit) return ask(index)
  } catch {
    // Whatever is wrong with the index, its next read by the API reports.
  }
  onBehind(siteId)
  return undefined
}
