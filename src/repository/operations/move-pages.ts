// Moves pages, and the pages and files of a folder, in one commit. A page keeps its id; its old address leads to where it is.

import { MODE_BLOB, type TreeEntry } from '../../git/objects/tree.js'
import { ServiceError } from '../../model/errors.js'
import { urlPathOfFile } from '../../model/paths/file-path.js'
import { type PagePath, treePathOf, urlPathOf } from '../../model/paths/page-path.js'
import { encodeSidecar, sidecarPathOf } from '../format/site-format.js'
import type { KnownSidecar, Operation, PageMove, Rewrite, Rewritten } from '../protocol/write.js'
import { leaveAddress } from '../staging/former-addresses.js'
import type { SiteState } from '../staging/site-state.js'
import { requirePublished, retitlePage } from './change-page.js'
import { assertFileFree } from './files.js'
import { checkIfMatch, type Outcome, unchanged } from './outcome.js'
import { assertPathFree, fileAt, pathsOf, placePage, type PlacedPage, putSidecar, titleGiven } from './page-place.js'
import { findSidecarId } from './sidecar-search.js'

type Kind<K extends Operation['kind']> = Extract<Operation, { kind: K }>

interface Move extends PlacedPage {
  entry: TreeEntry
  asked: PageMove
}

/** Throws `page_exists` if a page is published at the new path, and `path_conflict` if something else is in the way. */
export function movePage(state: SiteState, operation: Kind<'move-page'>): Outcome {
  const { page: known, path, title, ifMatch, rewrites = [] } = operation
  const move = placeMove(state, operation)
  if (move.path === path) {
    if (title === undefined) return unchanged(move.id)
    return retitlePage(state, { kind: 'retitle-page', page: known, title, ...(ifMatch && { ifMatch }) })
  }
  takePages(state, [move], rewrites)
  return {
    id: move.id,
    created: false,
    subject: `Move ${move.path} to ${path}`,
    ...bodyOf(rewrites),
    trailers: [['Page-Id', move.id]],
  }
}

/** Throws as `movePage` does, and `path_conflict` for files. */
export function moveFolder(state: SiteState, operation: Kind<'move-folder'>): Outcome {
  const { from, to, rewrites } = operation
  const moves = operation.pages.map((asked) => placeMove(state, asked))
  const files = operation.files.map((file) => ({ ...file, entry: requireFile(state, file.from) }))
  for (const file of files) state.tree.remove(file.from)
  takePages(state, moves, rewrites)
  for (const file of files) {
    assertFileFree(state, file.to)
    if (fileAt(state, file.to) !== undefined) throw fileExists(file.to)
    state.tree.putExisting(file.to, file.entry.mode, file.entry.oid)
  }
  for (const file of files) {
    const [url, newUrl] = [urlPathOfFile(file.from), urlPathOfFile(file.to)]
    if (url !== undefined && newUrl !== undefined) leaveAddress(state.tree, url, { to: newUrl })
  }
  return { id: to, created: false, subject: `Move ${from} to ${to}`, ...bodyOf(rewrites) }
}

function placeMove(state: SiteState, asked: PageMove): Move {
  const page = requirePublished(placePage(state, asked.page))
  checkIfMatch(state, asked.ifMatch, pathsOf(page), asked.page)
  const { entry } = page
  if (entry === undefined) throw new Error('a published page has a file')
  return { ...page, entry, asked }
}

/** Takes all pages from their places before it puts the first: one may go where another was. */
function takePages(state: SiteState, moves: readonly Move[], rewrites: readonly Rewrite[]): void {
  for (const move of moves) {
    if (move.asked.rewritten !== undefined) assertUnchanged(state, move, move.asked, move.asked.rewritten)
    state.tree.remove(move.treePath)
  }
  for (const rewrite of rewrites) rewritePage(state, rewrite)
  for (const { id, entry, asked } of moves) {
    const treePath = treePathOf(asked.path)
    if (fileAt(state, treePath) !== undefined) throw pageExists(state, asked)
    assertPathFree(state, asked.path)
    takeFromSidecar(state, asked.path, id, asked.sidecar)
    if (asked.rewritten === undefined) state.tree.putExisting(treePath, entry.mode, entry.oid)
    else {
      const oid = state.tree.put(treePath, asked.rewritten.html)
      if (entry.mode !== MODE_BLOB) state.tree.putExisting(treePath, entry.mode, oid)
    }
  }
  for (const move of moves) {
    state.tree.put(move.sidecarPath, encodeSidecar(sidecarAfter(move)))
    leaveAddress(state.tree, urlPathOf(move.path), { page: move.id })
  }
}

function sidecarAfter({ sidecar, asked: { path, title, page } }: Move) {
  const isSet = sidecar !== undefined && (sidecar.isTitleMarked || page.titleIsSet)
  const kept = isSet ? sidecar.title : null
  const given = title === undefined ? kept : (titleGiven(title) ?? null)
  return { path, title: given, templateId: sidecar?.templateId ?? null }
}

/** Removes the sidecar of another page, an unpublished one, that names the path: of two, the page with the lower id would have it. */
export function takeFromSidecar(state: SiteState, path: PagePath, pageId: string, known?: KnownSidecar): void {
  const owner = findSidecarId(state, path, known)
  if (owner !== undefined && owner !== pageId && state.sidecar(owner)?.path === path)
    state.tree.remove(sidecarPathOf(owner))
}

/** Stages other bytes for a page that links to what moves. */
function rewritePage(state: SiteState, rewrite: Rewrite): void {
  const page = requirePublished(placePage(state, rewrite.page))
  assertUnchanged(state, page, rewrite, rewrite)
  state.tree.put(page.treePath, rewrite.html)
  if (page.sidecar === undefined) putSidecar(state, page, null)
}

function assertUnchanged(
  state: SiteState,
  page: PlacedPage,
  { page: known }: Pick<PageMove, 'page'>,
  { etag }: Rewritten,
): void {
  if (state.lastChange(pathsOf(page), known) === etag) return
  throw new ServiceError('conflict', 'A page changed while its links were rewritten. Try again.', { retry: true })
}

function requireFile(state: SiteState, path: string): TreeEntry {
  const entry = fileAt(state, path)
  if (entry === undefined)
    throw new ServiceError('conflict', `The file /${path} went meanwhile. Try again.`, { retry: true })
  return entry
}

function pageExists(state: SiteState, { path, sidecar }: PageMove): ServiceError {
  const id = findSidecarId(state, path, sidecar)
  return new ServiceError(
    'page_exists',
    `A page is published at ${path} already. Unpublish or move it first, or choose another path.`,
    { path, ...(id !== undefined && { id }) },
  )
}

function fileExists(path: string): ServiceError {
  const message = `The path /${path} is not free: a file is there. Delete or move it first, or choose another path.`
  return new ServiceError('path_conflict', message, { path: `/${path}`, taker: path })
}

/** The commit's message names no more pages than this. */
const MAX_NAMED = 20

function bodyOf(rewrites: readonly Rewrite[]): { body?: string } {
  if (rewrites.length === 0) return {}
  const more = rewrites.length - MAX_NAMED
  const named = rewrites.slice(0, MAX_NAMED).map(({ page }) => `- Rewrite the links of ${page.path}`)
  return { body: [...named, ...(more > 0 ? [`- and of ${more} more`] : [])].join('\n') }
}
