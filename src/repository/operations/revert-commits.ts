// Stages the changes of a prepared revert.

import { MODE_TREE } from '../../git/objects/tree.js'
import { ServiceError } from '../../model/errors.js'
import { isFile } from '../format/file-mode.js'
import type { FileEdit, JudgedFile, Operation } from '../protocol/write.js'
import { findBlocker } from '../staging/find-blocker.js'
import { findOrphans } from '../staging/orphan-records.js'
import type { SiteState } from '../staging/site-state.js'
import { assertPlaceFree } from './content-place.js'
import { type Outcome, unchanged } from './outcome.js'
import { assertMayReturn, fileAt } from './page-place.js'

/**
 * Throws `conflict` with `details.retry` if a file has changed since the revert was prepared, and `path_conflict` if a restored file
 * would hide a page or file, or be hidden.
 */
export function revertCommits(state: SiteState, operation: Extract<Operation, { kind: 'revert-commits' }>): Outcome {
  const { commits, prepared } = operation
  if (prepared === undefined) throw new Error('a revert came to the writer without its changes')
  if (!prepared.judged.every((file) => isAsJudged(state, file))) throw changedSince()
  const { edits, subject } = prepared
  const [newest = ''] = commits
  if (edits.length === 0) return unchanged(newest)
  const arriving = edits.filter(({ path, after }) => isFile(after?.mode) && fileAt(state, path) === undefined)
  // Removals first: a file may take the place of a folder.
  for (const { path, after } of edits) if (after === null) state.tree.remove(path)
  for (const edit of edits) putFile(state, edit)
  if (findOrphans(state.tree, edits).length > 0) throw changedSince()
  for (const { path } of arriving) assertMayReturn(state, path, commits, () => assertPlaceFree(state, path))
  return {
    id: newest,
    created: false,
    subject: commits.length === 1 ? `Revert "${subject}"` : `Revert ${commits.length} commits`,
    body: commits.map((oid) => `This reverts commit ${oid}.`).join('\n'),
  }
}

function isAsJudged({ tree }: SiteState, { path, before }: JudgedFile): boolean {
  const now = tree.entry(path)
  if (before === null) return now === undefined || now.mode === MODE_TREE
  return now?.oid === before.oid && now.mode === before.mode
}

/** Stages a file. There was room for it when the revert was prepared; by now another file may be in its way. */
function putFile(state: SiteState, { path, after, content }: FileEdit): void {
  if (after === null) return
  if (findBlocker(state.tree, path) !== undefined) throw changedSince()
  if (content !== undefined) state.tree.put(path, content)
  state.tree.putExisting(path, after.mode, after.oid)
}

function changedSince(): ServiceError {
  return new ServiceError('conflict', 'The site changed while the revert was prepared. Try again.', { retry: true })
}
