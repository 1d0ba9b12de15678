// Finds the files of a page in a tree, and checks whether a path is free for a page.

import { ServiceError } from '../../model/errors.js'
import { freeDerivedId } from '../../model/ids.js'
import {
  assetPathOf,
  foldCase,
  type PagePath,
  parsePagePath,
  treePathOf,
  urlPathOf,
} from '../../model/paths/page-path.js'
import type { Sidecar } from '../../model/commits/facts.js'
import type { Oid } from '../../git/objects/oid.js'
import { entryAt } from '../../git/repository/history.js'
import { MODE_TREE, type TreeEntry } from '../../git/objects/tree.js'
import { isFile } from '../format/file-mode.js'
import { findSidecarId } from './sidecar-search.js'
import { encodeSidecar, sidecarPathOf } from '../format/site-format.js'
import type { SiteState } from '../staging/site-state.js'
import type { KnownPage, KnownSidecar } from '../protocol/write.js'

export interface PlacedPage {
  id: string
  path: PagePath
  treePath: string
  sidecarPath: string
  /** Undefined for a pushed file that has no sidecar yet, and for a page that a push or a revert removed with its sidecar. */
  sidecar: Sidecar | undefined
  /** Undefined when the page is unpublished. */
  entry: TreeEntry | undefined
}

/** Finds the page with that id as it is now. Throws `page_not_found` if nothing at the head has the id. */
export function placePage(state: SiteState, known: KnownPage): PlacedPage {
  const { id } = known
  const sidecar = state.sidecar(id)
  const path = sidecar?.path ?? known.path
  const entry = fileAt(state, treePathOf(path))
  // Without sidecar and file, it is the page that last stood there, as the index knew.
  const isTaken = (other: string) => state.sidecar(other) !== undefined
  const isPage = sidecar !== undefined || entry === undefined || freeDerivedId(state.siteId, path, isTaken) === id
  if (!isPage || !hasPath(state, known, path, sidecar)) {
    throw new ServiceError('page_not_found', 'This page is gone from the site.')
  }
  return { id, path, treePath: treePathOf(path), sidecarPath: sidecarPathOf(id), sidecar, entry }
}

/** Whether the page owns the path: another sidecar may name it too, and the lower id wins. */
function hasPath(state: SiteState, known: KnownPage, path: PagePath, sidecar: Sidecar | undefined): boolean {
  const owner = findSidecarId(state, path, knownSidecar(state, known, path))
  return sidecar === undefined ? owner === undefined : owner === known.id
}

/** Returns the caller's knowledge about the sidecar that owns the path. */
function knownSidecar({ odb }: SiteState, { id, path, asOf }: KnownPage, now: PagePath): KnownSidecar | undefined {
  if (path !== now || !odb.has(asOf)) return undefined
  const entry = entryAt(odb, odb.readCommit(asOf).tree, sidecarPathOf(id))
  return { id: isFile(entry?.mode) ? id : undefined, asOf }
}

/** Returns the title that a client gave; undefined for a blank one, which nobody could see: then the document's own counts. */
export function titleGiven(title: string | null | undefined): string | undefined {
  return title == null || title.trim() === '' ? undefined : title
}

/** Gives a page a sidecar with this title; with null, the document's own title counts. */
export function putSidecar(state: SiteState, { sidecarPath, path, sidecar }: PlacedPage, title: string | null): void {
  state.tree.put(sidecarPath, encodeSidecar({ path, title, templateId: sidecar?.templateId ?? null }))
}

/** Whether a client set the title to this one; for null, whether none is set. */
export function isTitleSetTo(sidecar: Sidecar | undefined, title: string | null): boolean {
  if (title === null) return (sidecar?.title ?? null) === null
  return sidecar?.title === title && sidecar.isTitleMarked
}

/** The part of a state that places are checked in. */
export type Places = Pick<SiteState, 'tree'>

export function fileAt(state: Places, treePath: string): TreeEntry | undefined {
  const entry = state.tree.entry(treePath)
  return isFile(entry?.mode) ? entry : undefined
}

/** Returns the files whose change is a change of the page. */
export function pathsOf(page: PlacedPage): string[] {
  return [page.treePath, page.sidecarPath]
}

/**
 * Throws if the page would answer for another page or file, or hide it. That may be its twin with or without the last slash, or an asset at
 * its URL. Names equal under case folding collide too, and so does a file where a folder must be.
 */
export function assertPathFree(state: Places, path: PagePath): void {
  const twin = twinOf(path)
  if (twin !== undefined && fileAt(state, treePathOf(twin)) !== undefined)
    refusePath(path, `the page ${twin} answers there`, treePathOf(twin))
  const asset = assetPathOf(urlPathOf(path))
  if (asset !== undefined && fileAt(state, asset) !== undefined)
    refusePath(path, `the file ${asset} answers there`, asset)
  assertNamesFree(state, treePathOf(path), (reason, taker) => refusePath(path, reason, taker))
}

/** Returns the path's twin: `/docs` and `/docs/` are twins. `/` has none, nor has `/index/`: `/index` is a spelling of `/`. */
function twinOf(path: PagePath): PagePath | undefined {
  if (path === '/') return undefined
  const twin = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  return isCanonical(twin) ? twin : undefined
}

function isCanonical(path: string): path is PagePath {
  try {
    return parsePagePath(path) === path
  } catch {
    return false
  }
}

/** Throws for a name that equals another one under case folding. Throws for a file where a folder must be, and the other way round. */
export function assertNamesFree({ tree }: Places, treePath: string, refuse: Refuse): void {
  for (const { path, entry, like, isLast } of tree.along(treePath)) {
    // A push or a deploy may have brought both names: writes to either go on.
    if (like !== undefined && tree.flushedEntry(path) === undefined)
      refuse(`${like} differs from it only by case, and stands there already`, like)
    if (entry !== undefined && isLast !== (entry.mode !== MODE_TREE)) refuse(`${path} stands in its way`, path)
  }
}

/**
 * Lets a file come back beside what was there with it before: a push or a deploy may have brought both. `check` throws `path_conflict`;
 * the file may come back from one of `earlier`, which are commits.
 */
export function assertMayReturn(state: SiteState, path: string, earlier: readonly Oid[], check: () => void): void {
  try {
    check()
  } catch (error) {
    const { taker } = ((error instanceof ServiceError ? error.details : undefined) ?? {}) as { taker?: string }
    if (taker === undefined || !earlier.some((oid) => hadBoth(state, oid, [path, taker]))) throw error
  }
}

function hadBoth({ odb }: SiteState, oid: Oid, paths: readonly string[]): boolean {
  const { tree } = odb.readCommit(oid)
  return paths.every((path) => entryAt(odb, tree, path) !== undefined)
}

/** Returns the commits before these. */
export function parentsOf({ odb }: SiteState, commits: readonly Oid[]): Oid[] {
  return commits.flatMap((oid) => odb.readCommit(oid).parents.slice(0, 1))
}

/** Throws `path_conflict`; `taker` is the tree path of what has the place. */
type Refuse = (reason: string, taker: string) => never

function refusePath(path: PagePath, reason: string, taker: string): never {
  throw new ServiceError('path_conflict', `The path ${path} is not free: ${reason}. Choose another path.`, {
    path,
    folded: foldCase(path),
    taker,
  })
}
