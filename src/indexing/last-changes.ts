// What the index says of pages, for hosting: which never waits for the index and never depends on it.

import type { SiteIndex } from '../catalog/index/site-index.js'
import type { LastChange, StoredPath } from '../catalog/index/tables/rows.js'
import { LONG_DIR, type PagePath, pagePathOf } from '../model/paths/page-path.js'

export interface IndexInUse {
  /** Undefined in a process that opens none. */
  index: SiteIndex | undefined
  /** Told of a site whose index is behind or cannot answer. */
  onBehind: (siteId: string) => void
}

const LONG_PAGES_AT_ONCE = 500

/** What the index says of many pages as of `commit`, some at a time: all of a large site would take much memory. */
export class LastChanges {
  /** Whether the index was at the commit whenever it was asked. */
  isComplete = true
  readonly #parts: IndexInUse
  readonly #siteId: string
  readonly #commit: string

  constructor(index: SiteIndex, siteId: string, commit: string) {
    this.#parts = { index, onBehind: () => (this.isComplete = false) }
    this.#siteId = siteId
    this.#commit = commit
  }

  /** Those of the pages that it knows, by path. */
  of(paths: readonly PagePath[]): ReadonlyMap<PagePath, LastChange> {
    const known = askAt(this.#parts, this.#siteId, this.#commit, ({ pages }) => pages.lastChanges(this.#siteId, paths))
    return new Map(known?.map((change) => [change.path, change]))
  }

  /** The pages in LONG_DIR: the names of their files do not tell their paths. */
  *longPages(): Generator<StoredPath> {
    for (let after = ''; ; ) {
      const found = askAt(this.#parts, this.#siteId, this.#commit, ({ pages }) =>
        pages.listStoredBelow(this.#siteId, `${LONG_DIR}/`, after, LONG_PAGES_AT_ONCE),
      )
      yield* found ?? []
      after = found?.at(-1)?.treePath ?? ''
      if (after === '') return
    }
  }
}

/** Runs `work`, for which all that the index says is of one moment. An index that cannot be read does not keep it from running. */
export function atOneMoment<T>(index: SiteIndex, work: () => T): T {
  let isBegun = false
  try {
    return index.atOneMoment(() => {
      isBegun = true
      return work()
    })
  } catch (error) {
    if (isBegun) throw error
    return work()
  }
}

export interface PageFacts {
  pageId: string
  /** Time of the commit that changed it last, in seconds. */
  changedAt: number
}

/** The page in a file as of `commit`; `unknown` while the index is at another commit, undefined where the file is not a page, or no index is open. */
export function pageFactsAt(
  parts: IndexInUse,
  siteId: string,
  commit: string,
  treePath: string,
): PageFacts | 'unknown' | undefined {
  const path = pagePathOf(treePath)
  if (path === undefined || parts.index === undefined) return undefined
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
    if (index?.indexedCommit(siteId) === commit) return ask(index)
  } catch {
    // Whatever is wrong with the index, its next read by the API reports.
  }
  onBehind(siteId)
  return undefined
}
