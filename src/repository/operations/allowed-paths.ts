// Limits a write to the paths that its key may write. Checks the changes that the write makes in the tree, so that no operation can
// bypass it.

import type { TreeEntry } from '../../git/objects/tree.js'
import { allowsAddress, allowsPage, allowsTreePath, pathsNotAllowed } from '../../model/paths/path-scope.js'
import { type PagePath, treePathOf } from '../../model/paths/page-path.js'
import { parseFormer } from '../format/former-address.js'
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
      ? operation.prepared.touched.filter(
          (path) => !['sidecar', 'former'].includes(parseMetadataPath(path)?.kind ?? ''),
        )
      : (touched ?? state.tree.editedPaths)
  const longPages = new Map(
    changesOf(operation).flatMap((change) => pagePathsOf(change).map((path) => [treePathOf(path), path] as const)),
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
  if (metadata?.kind === 'former') return isAllowedFormer(state, treePath, patterns)
  if (metadata?.kind !== 'sidecar') return allowsTreePath(patterns, treePath, longPages)
  const after = state.sidecar(metadata.pageId)
  const bytes = readEntry(state, state.tree.flushedEntry(treePath))
  const before = bytes && parseSidecar(bytes)
  const paths = [before?.path, after?.path].filter((path) => path !== undefined)
  return paths.length > 0 && paths.every((path) => allowsPage(patterns, path))
}

/** Whether the key may write at the address itself. A file that is not valid is nobody's. */
function isAllowedFormer(state: SiteState, treePath: string, patterns: readonly string[]): boolean {
  const entries = [state.tree.flushedEntry(treePath), state.tree.entry(treePath)]
  const formers = entries
    .filter((entry) => entry !== undefined)
    .map((entry) => {
      const bytes = readEntry(state, entry)
      return bytes && parseFormer(treePath, bytes)
    })
  return formers.every((former) => former !== undefined && allowsAddress(patterns, former.from))
}

function readEntry({ tree }: SiteState, entry: TreeEntry | undefined): Buffer | undefined {
  return entry && tree.readBlobWithin(entry.oid, MAX_SIDECAR_BYTES)
}

function changesOf(operation: Operation): readonly Change[] {
  if (operation.kind === 'change-set') return operation.changes
  return isOfChanges(operation) ? [operation] : []
}

/** A deploy or a merge names no targets: its edits say what it changes. */
function isOfChanges(operation: Exclude<Operation, { kind: 'change-set' }>): operation is Change {
  return !['deploy', 'merge-branch', 'revert-commits'].includes(operation.kind)
}

/** Returns the paths of all pages that the change names. */
function pagePathsOf(change: Change): PagePath[] {
  if (change.kind === 'publish-page') return [change.path]
  const moves = change.kind === 'move-page' ? [change] : change.kind === 'move-folder' ? change.pages : undefined
  if (moves === undefined) return 'page' in change ? [change.page.path] : []
  const rewrites = 'rewrites' in change ? (change.rewrites ?? []) : []
  return [...moves.flatMap(({ page, path }) => [page.path, path]), ...rewrites.map(({ page }) => page.path)]
}

type Target = [path: string, allows: (patterns: readonly string[]) => boolean]

function targetsOf(change: Change): Target[] {
  if (change.kind === 'move-folder')
    return [
      ...pagePathsOf(change).map((path): Target => [path, (patterns) => allowsPage(patterns, path)]),
      ...change.files
        .flatMap(({ from, to }) => [from, to])
        .map((path): Target => [`/${path}`, (patterns) => allowsTreePath(patterns, path)]),
    ]
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
    case 'move-page':
      return pagePathsOf(change).map(page)
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
