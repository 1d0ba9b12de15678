// Answers about pages from the index, for hosting. Hosting never waits for the index and never depends on it.

import type { SiteIndex, SiteIndexes } from '../index/site-index.js'
import type { LastChange, StoredPath } from '../index/tables/rows.js'
import { LONG_DIR, type PagePath, pagePathOf } from '../model/paths/page-path.js'

export interface IndexInUse {
  /** Undefined in a process that opens none. */
  indexes: Pick<SiteIndexes, 'of'> | undefined
  /** Called for a site whose index is behind or cannot answer. */
  onBehind: (siteId: string) => void
}

const LONG_PAGES_AT_ONCE = 500

/** Answers about many pages as of `commit`, some at a time: all of a large site at once would take much memory. */
export class LastChanges {
  /** Whether the index was at the commit each time it was asked. */
  isComplete = true
  readonly #index: SiteIndex
  readonly #commit: string

  constructor(index: SiteIndex, commit: string) {
    this.#index = index
    this.#commit = commit
  }

  /** Returns the last changes of those pages that it knows, by path. */
  of(paths: readonly PagePath[]): ReadonlyMap<PagePath, LastChange> {
    const known = this.#ask(({ pages }) => pages.lastChanges(paths))
    return new Map(known?.map((change) => [change.path, change]))
  }

  /** Yields the pages in LONG_DIR: the names of their files do not tell their paths. */
  *longPages(): Generator<StoredPath> {
    for (let after = ''; ; ) {
      const found = this.#ask(({ pages }) => pages.listStoredBelow(`${LONG_DIR}/`, after, LONG_PAGES_AT_ONCE))
      yield* found ?? []
      after = found?.at(-1)?.treePath ?? ''
      if (after === '') return
    }
  }

  #ask<T>(ask: (index: SiteIndex) => T): T | undefined {
    return askAt(this.#index, this.#commit, () => (this.isComplete = false), ask)
  }
}

/** Runs `work` with all answers of the index as of one moment. If the index cannot be read, runs it anyway. */
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

export interface FileFacts {
  /** Undefined for a file that is no page. */
  pageId?: string
  /** Time of its last change, in seconds, as `changeTime` gives it. */
  changedAt: number
}

/** Returns facts about a page or another file as of `commit`; `unknown` if the index is elsewhere, undefined if no index is open. */
export function fileFactsAt(
  { indexes, onBehind }: IndexInUse,
  siteId: string,
  commit: string,
  treePath: string,
): FileFacts | 'unknown' | undefined {
  if (indexes === undefined) return undefined
  const path = pagePathOf(treePath)
  const answer = askAt(
    indexes.of(siteId),
    commit,
    () => onBehind(siteId),
    (index) => (path === undefined ? { file: index.files.find(treePath) } : { page: index.pages.findByPath(path) }),
  )
  if (answer === undefined) return 'unknown'
  const { page, file = page } = answer
  return file && { ...(page && { pageId: page.id }), changedAt: Date.parse(file.updatedAt) / 1000 }
}

function askAt<T>(index: SiteIndex, commit: string, onBehind: () => void, ask: (index: SiteIndex) => T): T | undefined {
  try {
    if (index.indexedCommit === commit) return ask(index)
  } catch {
    // The next read of the index by the API reports what is wrong.
  }
  onBehind()
  return undefined
}
