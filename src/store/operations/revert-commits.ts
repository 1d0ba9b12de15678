// Stages the changes of a prepared revert.

import { MODE_TREE } from '../../git/objects/tree.js'
import { ServiceError } from '../../model/errors.js'
import { pagePathOf } from '../../model/paths/page-path.js'
import type { FileEdit, Operation } from '../protocol/write.js'
import { type Outcome, unchanged } from './outcome.js'
import { assertPathFree } from './page-place.js'
import type { SiteState } from '../staging/site-state.js'

/** Throws `conflict` with `details.retry` where a file is not as it was when the revert was prepared. */
export function revertCommits(state: SiteState, operation: Extract<Operation, { kind: 'revert-commits' }>): Outcome {
  const { commits, prepared } = operation
  if (prepared === undefined) throw new Error('a revert came to the writer without its changes')
  for (const { path, oid } of prepared.judged) if ((state.tree.entry(path)?.oid ?? null) !== oid) throw changedSince()
  const { edits, subject } = prepared
  const [newest = ''] = commits
  if (edits.length === 0) return unchanged(newest)
  // Removals first: a file may take the place of a folder.
  for (const { path, after } of edits) if (after === null) state.tree.remove(path)
  for (const edit of edits) putFile(state, edit)
  return {
    id: newest,
    created: false,
    subject: commits.length === 1 ? `Revert "${subject}"` : `Revert ${commits.length} commits`,
    body: commits.map((oid) => `This reverts commit ${oid}.`).join('\n'),
  }
}

function putFile(state: SiteState, { path, after, content }: FileEdit): void {
  if (after === null) return
  const isNew = state.tree.entry(path) === undefined
  const page = pagePathOf(path)
  if (isNew && page !== undefined) assertPathFree(state, page)
  if (isNew) assertFoldersFree(state, path)
  if (content !== undefined) state.tree.put(path, content)
  state.tree.putExisting(path, after.mode, after.oid)
}

/** git found room for the file in the site as it was; by now a file may have the name of one of its folders. */
function assertFoldersFree(state: SiteState, path: string): void {
  for (const { entry, isLast } of state.tree.along(path)) {
    if (!isLast && entry !== undefined && entry.mode !== MODE_TREE) throw changedSince()
  }
}

function changedSince(): ServiceError {
  return new ServiceError('conflict', 'The site changed while the revert was prepared. Try again.', { retry: true })
}
