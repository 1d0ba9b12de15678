// The answers of a site's writer. All of it is plain data that can be structured-cloned, since it crosses a thread boundary.

import type { NewObject } from '../../git/objects/object.js'
import type { PageRow } from '../../index/tables/rows.js'
import type { CommitFacts } from '../../model/commits/facts.js'

/** The result of a durable write. `changed: false` means that nothing differed and no commit was made. */
export interface Written {
  changed: boolean
  /** The commit that was made; without one, the head that the write was compared with. */
  commit: string
  /** The page, record or collection that was written; for a file its path, with a slash in front. */
  id: string
  /** True when the id was not live before: 201. */
  created: boolean
  /** The facts of the commit, without the data of records; null without a commit, and for a very large one. */
  facts: CommitFacts | null
  /** The page after this commit, if the write was about one and its rows are stored. */
  page?: PageRow | undefined
  /** The result of each change of a set, in the order of the changes. */
  items?: readonly WrittenItem[]
}

/** A write that was built and not stored. */
export interface Drafted {
  written: Written
  /** The head on which it was built. */
  base: string
  /** Objects that the write would have stored. */
  objects: readonly NewObject[]
}

export interface WrittenItem {
  /** The page or record; for a file its path, with a slash in front. */
  id: string
  created: boolean
  changed: boolean
}
