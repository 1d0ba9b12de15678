// Limits a write to the paths that its key may write. Checks the changes that the write makes in the tree, so that no operation can
// bypass it.

import { allowsPage, allowsTreePath, pathsNotAllowed } from '../../model/paths/path-scope.js'
import { treePathOf } from '../../model/paths/page-path.js'
import { MAX_SIDECAR_BYTES, parseMetadataPath, parseSidecar } from '../format/site-format.js'
import type { Change, Operation } from '../protocol/write.js'
import type { Outcome } from './outcome.js'
import type { SiteState } from '../staging/site-state.js'

/** Checks the targets that the operation names, before anything else. Throws `path_not_allowed` with every path that is not allowed. */
export function refuseTargets(operation: Operation, patterns: readonly string[]): void {
  const refused = changesOf(operation).flatMap((change) => targetsOf(change).filter(([, allows]) => !allows(patterns)))
  if (refused.length > 0)
    throw pathsNotAllowed(
      refused.map(([path]) => path),
      patterns,
    )
}

/** Checks the edits that the operation staged. Throws `path_not_allowed` with every path that is not allowed. */
export function refuseEdits(
  state: SiteState,
  operation: Operation,
  { touched }: Outcome,
  patterns: readonly string[],
): void {
  // A deploy's sidecars belong to its pages. Changes that others made meanwhile do not count.
  const edited =
    operation.kind === 'deploy'
      ? operation.prepared.touched.filter((path) => parseMetadataPath(path)?.kind !== 'sidecar')
      : (touched ?? state.tree.editedPaths)
  const longPages = new Map(
    changesOf(operation).flatMap((change) => {
      const path = 'page' in change ? change.page.path : change.kind === 'publish-page' ? change.path : undefined
      return path === undefined ? [] : [[treePathOf(path), path] as const]
    }),
  )
  const refused = edited.filter((path) => !isAllowed(state, path, patterns, longPages))
  if (refused.length > 0)
    throw pathsNotAllowed(
      refused.map((path) => `/${path}`),
      patterns,
    )
}

function isAllowed(
  state: SiteState,
  treePath: string,
  patterns: readonly string[],
  longPages: ReadonlyMap<string, string>,
): boolean {
  const metadata = parseMetadataPath(treePath)
  if (metadata?.kind !== 'sidecar') return allowsTreePath(patterns, treePath, longPages)
  const after = state.sidecar(metadata.pageId)
  const entry = state.tree.flushedEntry(treePath)
  const bytes = entry && state.tree.readBlobWithin(entry.oid, MAX_SIDECAR_BYTES)
  const before = bytes && parseSidecar(bytes)
  const paths = [before?.path, after?.path].filter((path) => path !== undefined)
  return paths.length > 0 && paths.every((path) => allowsPage(patterns, path))
}

function changesOf(operation: Operation): readonly Change[] {
  if (operation.kind === 'change-set') return operation.changes
  return operation.kind === 'deploy' || operation.kind === 'revert-commits' ? [] : [operation]
}

type Target = [path: string, allows: (patterns: readonly string[]) => boolean]

function targetsOf(change: Change): Target[] {
  const page = (path: string): Target => [path, (patterns) => allowsPage(patterns, path)]
  const file = (path: string): Target => [`/${path}`, (patterns) => allowsTreePath(patterns, path)]
  switch (change.kind) {
    case 'publish-page':
      return [page(change.path)]
    case 'replace-page':
    case 'retitle-page':
    case 'unpublish-page':
    case 'rollback-page':
      return [page(change.page.path)]
    case 'move-file':
      return [file(change.from), file(change.to)]
    case 'put-file':
    case 'delete-file':
    case 'rollback-file':
      return [file(change.path)]
    default:
      return [[`/collections/${change.collectionId}`, () => false]]
  }
}
