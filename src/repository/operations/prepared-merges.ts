// Stages the changes of merges that were prepared outside the writer: reverts, and what one branch brings to another.

import type { Oid } from '../../git/objects/oid.js'
import { MODE_TREE, type TreeEntry } from '../../git/objects/tree.js'
import { ServiceError } from '../../model/errors.js'
import { mayDerive } from '../../model/ids.js'
import { type PagePath, pagePathOf, treePathOf } from '../../model/paths/page-path.js'
import { isFile } from '../format/file-mode.js'
import { MAX_SIDECAR_BYTES, parseMetadataPath, parseSidecar } from '../format/site-format.js'
import type { FileEdit, JudgedFile, PreparedMerge } from '../protocol/prepared.js'
import type { Operation } from '../protocol/write.js'
import { findBlocker } from '../staging/find-blocker.js'
import { findOrphans } from '../staging/orphan-records.js'
import type { SiteState } from '../staging/site-state.js'
import { assertPlaceFree } from './content-place.js'
import { takeFromSidecar } from './move-pages.js'
import { type Outcome, unchanged } from './outcome.js'
import { assertMayReturn, fileAt, parentsOf } from './page-place.js'

/**
 * Throws `conflict` if `ifHead` is not the head; with `details.retry` if a file has changed since the revert was prepared. Throws `path_conflict` if a restored file
 * would hide a page or file, or be hidden.
 */
export function revertCommits(state: SiteState, operation: Extract<Operation, { kind: 'revert-commits' }>): Outcome {
  const { commits, backTo, prepared, ifHead } = operation
  if (ifHead !== undefined && ifHead !== state.head)
    throw new ServiceError(
      'conflict',
      'Another commit was made meanwhile: without approval, only the newest is reverted.',
    )
  if (prepared === undefined) throw new Error('a revert came to the writer without its changes')
  const { edits, subject } = prepared
  const [id = ''] = commits ?? [backTo]
  if (edits.length === 0 && isAsJudged(state, prepared)) return unchanged(id)
  const earlier = commits === undefined ? [backTo] : parentsOf(state, commits)
  stage(
    state,
    prepared,
    (path) => assertMayReturn(state, path, earlier, () => assertPlaceFree(state, path)),
    // The changes that lead back to a commit hold them already.
    () => commits && returnPaths(state, edits, earlier.at(-1)),
  )
  const body = commits?.map((oid) => `This reverts commit ${oid}.`) ?? [`This goes back to commit ${backTo}.`]
  return { id, created: false, subject, body: body.join('\n') }
}

/**
 * Stages what another branch brings, and always makes a commit. Throws `conflict` with `details.retry` if a file has changed since the merge
 * was prepared. Throws `path_conflict` if a file that comes would hide a page or file, or be hidden.
 */
export function mergeBranch(state: SiteState, operation: Extract<Operation, { kind: 'merge-branch' }>): Outcome {
  const { prepared, subject } = operation
  const beside = new Set(prepared.beside)
  stage(state, prepared, (path) => beside.has(path) || assertPlaceFree(state, path))
  return { id: '', created: false, subject }
}

/** `assertArrives` throws for a file that has no place among what is there now. */
function stage(
  state: SiteState,
  prepared: PreparedMerge,
  assertArrives: (path: string) => unknown,
  finish: () => void = () => undefined,
): void {
  if (!isAsJudged(state, prepared)) throw changedSince()
  const { edits } = prepared
  const arriving = edits.filter(({ path, after }) => isFile(after?.mode) && fileAt(state, path) === undefined)
  // Removals first: a file may take the place of a folder.
  for (const { path, after } of edits) if (after === null) state.tree.remove(path)
  for (const edit of edits) putFile(state, edit)
  finish()
  if (findOrphans(state.tree, edits).length > 0) throw changedSince()
  for (const { path } of arriving) assertArrives(path)
}

function isAsJudged({ tree }: SiteState, { judged }: PreparedMerge): boolean {
  return judged.every(({ path, before }) => isStill(tree.entry(path), before))
}

function isStill(now: TreeEntry | undefined, before: JudgedFile['before']): boolean {
  if (before === null) return now === undefined || now.mode === MODE_TREE
  return now?.oid === before.oid && now.mode === before.mode
}

/** Stages a file. There was room for it when the merge was prepared; by now another file may be in its way. */
function putFile(state: SiteState, { path, after, content }: FileEdit): void {
  if (after === null) return
  if (findBlocker(state.tree, path) !== undefined) throw changedSince()
  if (content !== undefined) state.tree.put(path, content)
  state.tree.putExisting(path, after.mode, after.oid)
}

/**
 * Gives pages that a revert moves back their paths again. Other pages may have been published there since, and of two sidecars that name a
 * path, the lower id would have it.
 */
function returnPaths(state: SiteState, edits: readonly FileEdit[], asOf: Oid | undefined): void {
  const put = new Map(edits.flatMap(({ path, after }) => (after === null ? [] : [[path, pagePathOf(path)] as const])))
  for (const edit of edits) {
    const file = parseMetadataPath(edit.path)
    if (file?.kind !== 'sidecar' || asOf === undefined) continue
    const path = pathAgain(state, file.pageId, edit, put)
    if (path !== undefined && put.has(treePathOf(path)))
      takeFromSidecar(state, path, file.pageId, { id: undefined, asOf })
  }
}

/** Returns the path that a page gets back; undefined if the revert does not move it. A page without a sidecar had a derived id there. */
function pathAgain(
  state: SiteState,
  pageId: string,
  { path, after }: FileEdit,
  put: ReadonlyMap<string, PagePath | undefined>,
): PagePath | undefined {
  if (after === null) {
    for (const page of put.values()) if (page !== undefined && mayDerive(state.siteId, page, pageId)) return page
    return undefined
  }
  const entry = state.tree.flushedEntry(path)
  const bytes = entry && state.tree.readBlobWithin(entry.oid, MAX_SIDECAR_BYTES)
  const [before, now] = [bytes && parseSidecar(bytes)?.path, state.sidecar(pageId)?.path]
  return before === now ? undefined : now
}

function changedSince(): ServiceError {
  return new ServiceError('conflict', 'The site changed while this was prepared. Try again.', { retry: true })
}
