// Yields the pages that a site's maps list, one by one, with data from the index. Leaves out those that are not to be indexed. Keeps only
// the first ones in memory.

import type { LastChanges } from '../../../indexing/last-changes.js'
import type { PagePath } from '../../../model/paths/page-path.js'

export interface ListedPage {
  path: PagePath
  /** Time of the last change, in seconds; undefined if the index does not know it. */
  time: number | undefined
  title: string | null
}

/** Pages per query to the index. */
const ASKED_AT_ONCE = 500

/** Can be iterated only once. */
export class ListedPages implements Iterable<ListedPage> {
  /** Number of pages iterated so far. */
  count = 0
  readonly first: ListedPage[] = []
  readonly #paths: Iterable<PagePath>
  readonly #changes: Pick<LastChanges, 'of'>
  readonly #maxFirst: number

  constructor(paths: Iterable<PagePath>, changes: Pick<LastChanges, 'of'>, maxFirst: number) {
    this.#paths = paths
    this.#changes = changes
    this.#maxFirst = maxFirst
  }

  *[Symbol.iterator](): Generator<ListedPage> {
    for (const paths of portions(this.#paths, ASKED_AT_ONCE)) {
      const changes = this.#changes.of(paths)
      for (const path of paths) {
        const known = changes.get(path)
        if (known?.robots?.includes('noindex') === true) continue
        const page = { path, time: known?.time, title: known?.title ?? null }
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
