// Finds the sidecar that names a path, so that an unpublished page revives with its id. Begins with what the caller knew at an earlier
// commit, and reads only sidecars that changed since then. Those of the writer's own commits are in memory.

import { entryAt } from '../../git/repository/history.js'
import type { Oid } from '../../git/objects/oid.js'
import { diffTrees } from '../../git/objects/diff.js'
import { MODE_TREE, type TreeEntry } from '../../git/objects/tree.js'
import { ServiceError } from '../../model/errors.js'
import type { PagePath } from '../../model/paths/page-path.js'
import { isFile } from '../format/file-mode.js'
import { MAX_SIDECAR_BYTES, parseMetadataPath, parseSidecar, SIDECAR_DIR } from '../format/site-format.js'
import type { SiteState } from '../staging/site-state.js'
import type { KnownSidecar } from '../protocol/write.js'

/** The limit of sidecars for one write: writes of other sites wait for the same thread. */
const MAX_SIDECARS_READ = 5_000

/**
 * Returns the lowest id among the sidecars that name `path`, for a live page or an unpublished one. If `known`
 * or its commit is missing, reads every sidecar of the site. Throws `site_busy` if there are too many to read: a caller that tries
 * again knows what was pushed meanwhile.
 */
export function findSidecarId(state: SiteState, path: PagePath, known?: KnownSidecar): string | undefined {
  const start = known !== undefined && state.odb.has(known.asOf) ? known : undefined
  const ids = start?.id === undefined ? [] : [start.id]
  for (const [pageId, named] of (start && state.sidecarsSince(start.asOf)) ?? readSince(state, start?.asOf)) {
    if (named === path) ids.push(pageId)
    // Another sidecar that named the path before may now own it.
    else if (pageId === start?.id) return findSidecarId(state, path)
  }
  return ids.toSorted()[0]
}

/** Reads the sidecars that differ from those at a commit; all if the commit is undefined. */
function* readSince(state: SiteState, asOf: Oid | undefined): Generator<[pageId: string, PagePath | undefined]> {
  const before = asOf === undefined ? undefined : sidecarsAsOf(state, asOf)
  let read = 0
  for (const { path: file, after } of diffTrees(state.tree, before, folderOid(state.tree.entry(SIDECAR_DIR)))) {
    const metadata = parseMetadataPath(`${SIDECAR_DIR}/${file}`)
    if (metadata?.kind !== 'sidecar') continue
    if (++read > MAX_SIDECARS_READ)
      throw new ServiceError('site_busy', 'Too many pages were added meanwhile. Try again in a second.')
    yield [metadata.pageId, pathIn(state, after)]
  }
}

/** Returns the folder of sidecars at a commit. */
export function sidecarsAsOf({ odb }: SiteState, commit: Oid): Oid | undefined {
  return folderOid(entryAt(odb, odb.readCommit(commit).tree, SIDECAR_DIR))
}

export function folderOid(entry: TreeEntry | undefined): Oid | undefined {
  return entry?.mode === MODE_TREE ? entry.oid : undefined
}

function pathIn({ tree }: SiteState, entry: { mode: number; oid: Oid } | undefined): PagePath | undefined {
  const bytes =
    isFile(entry?.mode) && entry !== undefined ? tree.readBlobWithin(entry.oid, MAX_SIDECAR_BYTES) : undefined
  return bytes && parseSidecar(bytes)?.path
}
