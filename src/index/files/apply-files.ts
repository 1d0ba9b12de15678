// Applies one commit to the rows of files that are not pages. A file has a row as it is now, and a version for each commit in which its
// blob differs from the parent's.

import type { CommitFacts, FileChange } from '../../model/commits/facts.js'
import { changeTime } from '../tables/change-time.js'
import { foldText, type Sql } from '../tables/sql.js'

interface StoredFile {
  blob: string | null
  version_number: number
  version_commit: string
  updated_at: number
}

/** Applies the commit's changes of files. Applying a commit again changes nothing. */
export function applyFiles(sql: Sql, fact: CommitFacts): void {
  for (const change of fact.files) applyFile(sql, fact, change)
}

function applyFile(sql: Sql, fact: CommitFacts, { treePath, after }: FileChange): void {
  const { oid: commit, time } = fact
  const before = sql.first<StoredFile>(
    'SELECT blob, version_number, version_commit, updated_at FROM files WHERE tree_path = ?',
    [treePath],
  )
  const blob = after?.oid ?? null
  if (before?.version_commit === commit || (before?.blob ?? null) === blob) return
  const number = (before?.version_number ?? 0) + 1
  sql.run(
    `INSERT OR REPLACE INTO files (tree_path, folded_path, blob, size, version_number, version_commit, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [treePath, foldText(treePath), blob, after?.size ?? 0, number, commit, changeTime(fact, before?.updated_at)],
  )
  sql.run(
    'INSERT INTO file_versions (tree_path, number, commit_oid, blob, size, created_at) VALUES (?, ?, ?, ?, ?, ?)',
    [treePath, number, commit, blob, after?.size ?? 0, time],
  )
}
