// The versions of a page: the first-parent commits in which the blob at its path differs from the parent's. Each has an
// action that says what it did.

import type { CommitFacts } from '../../model/commits/facts.js'
import { operationOf } from '../../model/commits/operation.js'
import type { Occupant } from './occupant.js'
import type { StoredPage } from './page-table.js'
import type { VersionAction } from '../tables/rows.js'
import { type Sql, storable } from '../tables/sql.js'

/** Returns the version that the commit made of a page; undefined if it made none. */
export function nextVersion(
  fact: CommitFacts,
  before: StoredPage | undefined,
  after: Occupant | undefined,
): { number: number; commit: string } | undefined {
  const oldBlob = before?.blob ?? null
  const newBlob = after?.file?.blob ?? null
  const moved = newBlob !== null && oldBlob !== null && after?.treePath !== before?.tree_path
  if (oldBlob === newBlob && !moved) return undefined
  return { number: (before?.version_number ?? 0) + 1, commit: fact.oid }
}

/** Stores the version that `page.version_number` counts. */
export function storeVersion(sql: Sql, fact: CommitFacts, before: StoredPage | undefined, page: StoredPage): void {
  sql.run(
    `INSERT INTO versions (page_id, number, commit_oid, action, author, message, path, blob, size, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      page.page_id,
      page.version_number,
      fact.oid,
      actionOf(fact, before, page),
      storable(fact.author),
      storable(fact.message),
      page.path,
      page.blob,
      page.size,
      fact.time,
    ],
  )
}

/**
 * Returns the action of a version. The operation identifies a rollback (the service's own) and a revert: git's `Revert "…"`, `Reapply "…"`
 * of a revert, or the service's for several commits. The change identifies every other action.
 */
function actionOf(fact: CommitFacts, before: StoredPage | undefined, page: StoredPage): VersionAction {
  const operation = operationOf(fact)
  if (operation.startsWith('Roll back ')) return 'rollback'
  if (/^(?:Revert|Reapply) (?:"|\d+ commits$)/.test(operation)) return 'revert'
  if (page.blob === null) return 'unpublish'
  if (before === undefined || before.blob === null) return 'publish'
  return before.tree_path === page.tree_path ? 'replace' : 'move'
}
