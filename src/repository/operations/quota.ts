// Holds a write to the quotas of its workspace. Looks at the changes in the tree, so that no operation can bypass it.

import { refuseBeyond, type QuotaUse } from '../../admission/quotas.js'
import { diffTrees, type TreeChange } from '../../git/objects/diff.js'
import { countAddedPages, sumAddedBytes } from '../format/growth.js'
import type { Operation, PackToInstall } from '../protocol/write.js'
import type { SiteState } from '../staging/site-state.js'

/** Throws `page_quota_exceeded` and `byte_quota_exceeded` for staged edits that would pass a quota. */
export function refuseBeyondQuota(
  state: SiteState,
  operation: Operation,
  quotaUse: QuotaUse,
  packs: readonly PackToInstall[],
): void {
  const { tree } = state
  refuseBeyond(quotaUse, {
    storedBytes: packs.reduce((sum, { bytes }) => sum + bytes, tree.stagedBytes),
    addedPages: () => countAddedPages(changesOf(state, operation)),
    addedBytes: () => sumAddedBytes(changesOf(state, operation), (blob) => tree.sizeOf(blob)),
  })
}

function changesOf({ tree }: SiteState, operation: Operation): Iterable<TreeChange> {
  if (operation.kind === 'deploy') return diffTrees(tree, operation.prepared.base, operation.prepared.tree)
  return stagedChanges(tree)
}

function* stagedChanges(tree: SiteState['tree']): Generator<TreeChange> {
  for (const path of tree.editedPaths) {
    const [before, after] = [tree.flushedEntry(path), tree.entry(path)]
    yield { path, ...(before && { before }), ...(after && { after }) }
  }
}
