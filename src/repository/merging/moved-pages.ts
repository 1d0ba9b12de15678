// Finds the pages that one side of a merge moved, by their sidecars. A sidecar has the id of its page for a name, and holds its path. Files
// are never compared, so no page is taken for another that looks like it.

import { diffTrees, type TreeChange } from '../../git/objects/diff.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { derivePageId, isDerivedId, isLaterId, mayDerive } from '../../model/ids.js'
import { type PagePath, pagePathOf, treePathOf } from '../../model/paths/page-path.js'
import {
  isSidecar,
  MAX_SIDECAR_BYTES,
  parseMetadataPath,
  parseSidecar,
  parseSiteFile,
  SIDECAR_DIR,
  SITE_FILE,
} from '../format/site-format.js'
import type { WorkingTree } from '../staging/working-tree.js'
import type { Entry, Sides } from './merge-entries.js'
import type { TextMerger } from './text-merger.js'

export interface MovedPage {
  sidecar: string
  /** The page's path at the base. */
  from: PagePath
  /** The page's file on each side. */
  files: Sides<string>
}

type EntryOf = (path: string) => Entry

/** The three versions of a site that are merged. */
export interface MergedTrees {
  objects: ObjectReader
  base: WorkingTree
  ours: WorkingTree
  /** The changes from the base to theirs. */
  changes: readonly TreeChange[]
}

/** Finds those whose old file is gone on a side, or whose sidecar is new on both. */
export function findMovedPages(trees: MergedTrees, theirs: EntryOf, merger: Pick<TextMerger, 'read'>): MovedPage[] {
  const { base, ours, changes } = trees
  const left = changes.filter(({ path, before, after }) => before && (after === undefined || !ours.entry(path)))
  const isNewOnBoth = ({ path, before }: TreeChange) => before === undefined && isSidecar(path) && ours.entry(path)
  if (left.length === 0 && !changes.some(isNewOnBoth)) return []
  const baseOf = derivedPaths(left, siteIdIn(base, merger))
  const pathIn = (entry: Entry) => {
    const bytes = entry && merger.read(entry.oid, MAX_SIDECAR_BYTES)
    return bytes && parseSidecar(bytes)?.path
  }
  return sidecarsOf(trees, left).flatMap(({ sidecar, pageId }) => {
    const [here, there] = [pathIn(ours.entry(sidecar)), pathIn(theirs(sidecar))]
    const from = pathIn(base.entry(sidecar)) ?? baseOf(pageId, [here, there])
    if (from === undefined) return []
    const files = { base: treePathOf(from), ours: treePathOf(here ?? from), theirs: treePathOf(there ?? from) }
    return files.ours === files.base && files.theirs === files.base ? [] : [{ sidecar, from, files }]
  })
}

/** Lists the sidecars that theirs changed, and those that ours changed where a page of ours is gone that theirs changed. */
function sidecarsOf(
  { objects, base, ours, changes }: MergedTrees,
  left: readonly TreeChange[],
): { sidecar: string; pageId: string }[] {
  const found = new Map<string, string>()
  const note = (path: string) => {
    const file = parseMetadataPath(path)
    if (file?.kind === 'sidecar') found.set(path, file.pageId)
  }
  for (const { path } of changes) note(path)
  if (left.some(({ path }) => ours.entry(path) === undefined)) {
    const [before, after] = [base, ours].map((tree) => tree.flushedEntry(SIDECAR_DIR)?.oid)
    for (const { path } of diffTrees(objects, before, after)) note(`${SIDECAR_DIR}/${path}`)
  }
  return Array.from(found, ([sidecar, pageId]) => ({ sidecar, pageId }))
}

/** Returns a function that finds the path from which an id is derived. The page left that path, or is there on one side. */
function derivedPaths(left: readonly TreeChange[], siteId: string | undefined) {
  const paths = left.flatMap(({ path }) => pagePathOf(path) ?? [])
  const byId = new Map(paths.map((path) => [siteId && derivePageId(siteId, path), path]))
  return (pageId: string, sides: readonly (PagePath | undefined)[]): PagePath | undefined => {
    if (siteId === undefined || !isDerivedId(pageId)) return undefined
    const others = [...sides, ...(isLaterId(pageId) ? paths : [])]
    return byId.get(pageId) ?? others.find((path) => path !== undefined && mayDerive(siteId, path, pageId))
  }
}

function siteIdIn(tree: WorkingTree, merger: Pick<TextMerger, 'read'>): string | undefined {
  const entry = tree.entry(SITE_FILE)
  const bytes = entry && merger.read(entry.oid, MAX_SIDECAR_BYTES)
  return bytes && parseSiteFile(bytes)?.id
}
