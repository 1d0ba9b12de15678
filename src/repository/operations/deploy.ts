// Publishes a deploy whose trees were built outside the writer. If the head is still their base, its tree is replaced; otherwise the
// changes since then are put on top.

import { diffTrees, type TreeChange } from '../../git/objects/diff.js'
import { ServiceError } from '../../model/errors.js'
import { isContentPath } from '../../model/paths/file-path.js'
import { isFile } from '../format/file-mode.js'
import { FORMER_DIR } from '../format/site-format.js'
import { endTakenAddresses } from '../staging/former-addresses.js'
import type { PreparedDeploy } from '../protocol/prepared.js'
import type { Operation } from '../protocol/write.js'
import { assertPlaceFree } from './content-place.js'
import { type Outcome, unchanged } from './outcome.js'
import type { SiteState } from '../staging/site-state.js'

/** With more changes since the deploy was prepared, it must be prepared again. */
const MAX_CHANGES_SINCE = 500

/** Throws `precondition_failed` if `ifHead` is not the head, and `conflict` with `details.retry` if the deploy must be prepared again. */
export function publishDeploy(state: SiteState, operation: Extract<Operation, { kind: 'deploy' }>): Outcome {
  const { prepared, ifHead } = operation
  if (ifHead !== undefined && ifHead !== state.head) {
    const message = 'The site was changed since the commit in ifHead. Look at what changed, and deploy again.'
    throw new ServiceError('precondition_failed', message, { head: state.head })
  }
  const { base, tree, touched, subject } = prepared
  if (tree === base) return unchanged('')
  const since = state.tree.root === base ? [] : changesSince(state, prepared)
  state.tree.replaceRoot(tree)
  for (const { path, after } of since) {
    if (after === undefined) state.tree.remove(path)
    else state.tree.putExisting(path, after.mode, after.oid)
  }
  for (const { path, before, after: now } of since)
    if (isFile(now?.mode) && !isFile(before?.mode)) assertPlace(state, path)
  if (since.some(({ path }) => path.startsWith(`${FORMER_DIR}/`))) endTakenAddresses(state.tree, touched)
  return { id: '', created: false, subject, touched: [...touched, ...since.map(({ path }) => path)] }
}

function changesSince(state: SiteState, { base, touched, replaces }: PreparedDeploy): TreeChange[] {
  const own = new Set(touched)
  const changes: TreeChange[] = []
  for (const change of diffTrees(state.tree, base, state.tree.root)) {
    const { path } = change
    if (own.has(path) || (replaces && isContentPath(path)) || changes.push(change) > MAX_CHANGES_SINCE)
      throw changedSince()
  }
  return changes
}

/** Checks that a file that was added meanwhile does not collide with a file of the deploy. */
function assertPlace(state: SiteState, path: string): void {
  try {
    assertPlaceFree(state, path)
  } catch (error) {
    throw error instanceof ServiceError && error.code === 'path_conflict' ? changedSince() : error
  }
}

function changedSince(): ServiceError {
  return new ServiceError('conflict', 'The site changed while the deploy was prepared. Try again.', { retry: true })
}
