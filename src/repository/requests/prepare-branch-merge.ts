// Prepares the merge of a change request into main, or of main into a change request. Works in the repository of the change requests, which
// has the objects of both. Runs in a process of its own.

import type { Oid } from '../../git/objects/oid.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { ServiceError } from '../../model/errors.js'
import type { PagePath } from '../../model/paths/page-path.js'
import { isFile } from '../format/file-mode.js'
import { MAX_SIDECAR_BYTES, parseMetadataPath, parseSidecar } from '../format/site-format.js'
import type { FindFaults } from '../merging/find-misfits.js'
import type { PathConflict } from '../merging/merge-changes.js'
import { type MergeAim, type MergePlace, prepareMerge } from '../merging/prepare-merge.js'
import { assertPlaceFree } from '../operations/content-place.js'
import { fileAt } from '../operations/page-place.js'
import { toServiceError } from '../protocol/failure.js'
import type { FileEdit, PreparedBranchMerge } from '../protocol/prepared.js'
import type { PackToInstall } from '../protocol/write.js'
import { WorkingTree } from '../staging/working-tree.js'
import { packBlobs } from './pack-blobs.js'

export interface BranchMergeAim extends MergeAim {
  /** The folder for a pack of what the merge brings, if the other repository may lack it. */
  packFolder?: string | undefined
}

export interface BranchMerge {
  prepared: PreparedBranchMerge
  conflicts: readonly PathConflict[]
  /** The sidecars that it brings or changes. */
  sidecars: readonly NamedSidecar[]
  packs: readonly PackToInstall[]
}

/** The file of a page's id, and the path that it gives the page. */
export interface NamedSidecar {
  file: string
  pageId: string
  path: PagePath
}

/** Throws as `prepareMerge` does. With conflicts there are no edits. */
export async function prepareBranchMerge(
  place: MergePlace,
  aim: BranchMergeAim,
  findFaults: FindFaults,
): Promise<BranchMerge> {
  const { conflicts, ...prepared } = await prepareMerge(place, aim, findFaults)
  try {
    const { beside, inTheWay } = placeArriving(place.objects, aim, prepared.edits)
    const found = [...conflicts, ...inTheWay]
    if (found.length > 0)
      return { prepared: { edits: [], judged: [], beside: [] }, conflicts: found, sidecars: [], packs: [] }
    return {
      prepared: { ...prepared, beside },
      conflicts: [],
      sidecars: sidecarsIn(place.objects, prepared.edits),
      packs: aim.packFolder === undefined ? [] : await packOf(place, aim, prepared.edits, aim.packFolder),
    }
  } catch (error) {
    throw toServiceError(error)
  }
}

/** Finds the files that come where another page or file answers: `beside` those for which that is so in their own branch too. */
function placeArriving(
  objects: ObjectReader,
  aim: BranchMergeAim,
  edits: readonly FileEdit[],
): { beside: string[]; inTheWay: PathConflict[] } {
  const [ours, theirs] = [treeAt(objects, aim.ours), treeAt(objects, aim.theirs)]
  const arriving = edits.filter(({ path, after }) => isFile(after?.mode) && fileAt({ tree: ours }, path) === undefined)
  for (const { path, after } of edits) if (after === null) ours.remove(path)
  for (const { path, after } of edits) if (after !== null) ours.putExisting(path, after.mode, after.oid)
  const beside: string[] = []
  const inTheWay: PathConflict[] = []
  for (const { path } of arriving) {
    const reason = whyNotFree(ours, path)
    if (reason === undefined) continue
    if (whyNotFree(theirs, path) === undefined) inTheWay.push({ path, reason: 'in_the_way', hunks: reason })
    else beside.push(path)
  }
  return { beside, inTheWay }
}

function whyNotFree(tree: WorkingTree, path: string): string | undefined {
  try {
    assertPlaceFree({ tree }, path)
    return undefined
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'path_conflict') return error.message
    throw error
  }
}

function treeAt(objects: ObjectReader, commit: Oid): WorkingTree {
  return new WorkingTree(objects, objects.readCommit(commit).tree)
}

function sidecarsIn(objects: ObjectReader, edits: readonly FileEdit[]): NamedSidecar[] {
  return edits.flatMap(({ path: file, after, content }) => {
    const metadata = parseMetadataPath(file)
    if (metadata?.kind !== 'sidecar' || after === null) return []
    const bytes = content === undefined ? objects.readBlobWithin(after.oid, MAX_SIDECAR_BYTES) : Buffer.from(content)
    const path = bytes && parseSidecar(bytes)?.path
    return path === undefined ? [] : [{ file, pageId: metadata.pageId, path }]
  })
}

/** Packs the blobs that the edits name. What the changed paths had before is reached by main, and so is what is there now. */
async function packOf(
  { gitdir, objects }: MergePlace,
  { base }: BranchMergeAim,
  edits: readonly FileEdit[],
  folder: string,
): Promise<PackToInstall[]> {
  const before = treeAt(objects, base)
  const reached = new Set(edits.map(({ path }) => before.entry(path)?.oid))
  const blobs = new Map<Oid, string>()
  for (const { path, after, content } of edits)
    if (content === undefined && isFile(after?.mode) && after !== null && !reached.has(after.oid))
      blobs.set(after.oid, path)
  return await packBlobs(gitdir, [...blobs], folder)
}
