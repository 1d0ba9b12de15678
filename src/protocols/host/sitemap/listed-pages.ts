// Yields the pages that a site's maps list, one by one, with data from the index. Leaves out those that no map may list. Keeps only the
// first ones in memory.

import type { LastChanges } from '../../../indexing/last-changes.js'
import type { PagePath } from '../../../model/paths/page-path.js'
import type { IsListable } from '../../../repository/resolution/listable.js'

export interface ListedPage {
  path: PagePath
  /** Time of the last change, in seconds; undefined if the index does not know it. */
  time: number | undefined
  title: string | null
}

/** Pages per query to the index. */
const ASKED_AT_ONCE = 500

export interface PagesToList {
  paths: Iterable<PagePath>
  changes: Pick<LastChanges, 'of'>
  isListable: IsListable
  /** In seconds. A later time is that of a wrong clock, and is left out. */
  now: number
}

/** Can be iterated only once. */
export class ListedPages implements Iterable<ListedPage> {
  /** Number of pages iterated so far. */
  count = 0
  readonly first: ListedPage[] = []
  readonly #pages: PagesToList
  readonly #maxFirst: number

  constructor(pages: PagesToList, maxFirst: number) {
    this.#pages = pages
    this.#maxFirst = maxFirst
  }

  *[Symbol.iterator](): Generator<ListedPage> {
    const { changes, isListable, now } = this.#pages
    for (const paths of portions(this.#pages.paths, ASKED_AT_ONCE)) {
      const known = changes.of(paths)
      for (const path of paths) {
        const change = known.get(path)
        if (!isListable(path, change)) continue
        const time = change !== undefined && change.time <= now ? change.time : undefined
        const page = { path, time, title: change?.title ?? null }
        this.count += 1
        if (this.first.length < this.#maxFirst) this.first.push(page)
        yield page
      }
    }
  }
}

function* portions<T>(all: Iterable<T>, size: number): Generator<T[]> {
  let portion: T[] = []
  for (const one of all) {
    portion.push(one)
    if (portion.length < size) continue
    yield portion
    portion = []
  }
  if (portion.length > 0) yield portion
}
