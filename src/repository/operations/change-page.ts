// Replaces, retitles, unpublishes and rolls back a page that is known by its id.

import { ServiceError } from '../../model/errors.js'
import { placeOfUrl } from '../../model/paths/link-place.js'
import { urlPathOf } from '../../model/paths/page-path.js'
import { endAddress, leadsBack, leaveAddress } from '../staging/former-addresses.js'
import type { SiteState } from '../staging/site-state.js'
import type { Operation } from '../protocol/write.js'
import { MODE_BLOB } from '../../git/objects/tree.js'
import { checkIfMatch, type Outcome, unchanged, undoneLines } from './outcome.js'
import {
  assertMayReturn,
  assertPathFree,
  isTitleSetTo,
  parentsOf,
  pathsOf,
  placePage,
  type PlacedPage,
  putSidecar,
  titleGiven,
} from './page-place.js'
import { replaceBytes } from './publish-page.js'

type Kind<K extends Operation['kind']> = Extract<Operation, { kind: K }>

export function replacePage(state: SiteState, operation: Kind<'replace-page'>): Outcome {
  const page = requirePublished(placePage(state, operation.page))
  const { html, ifMatch } = operation
  return replaceBytes(state, page, { html, known: operation.page, ...(ifMatch && { ifMatch }) })
}

export function retitlePage(state: SiteState, operation: Kind<'retitle-page'>): Outcome {
  const page = requirePublished(placePage(state, operation.page))
  checkIfMatch(state, operation.ifMatch, pathsOf(page), operation.page)
  const title = titleGiven(operation.title) ?? null
  if (isTitleSetTo(page.sidecar, title)) return unchanged(page.id)
  putSidecar(state, page, title)
  return { id: page.id, created: false, subject: `Retitle ${page.path}`, trailers: [['Page-Id', page.id]] }
}

/** Removes the HTML and keeps the sidecar, so that the path keeps its id. */
export function unpublishPage(state: SiteState, operation: Kind<'unpublish-page'>): Outcome {
  const { leaves, ifMatch } = operation
  const placed = placePage(state, operation.page)
  const page = leaves === undefined ? requirePublished(placed) : placed
  checkIfMatch(state, ifMatch, pathsOf(page), operation.page)
  if (page.sidecar === undefined) putSidecar(state, page, null)
  if (page.entry !== undefined) state.tree.remove(page.treePath)
  const url = urlPathOf(page.path)
  const place = placeOfUrl(url)
  if (leaves !== undefined && 'to' in leaves && leadsBack(state.tree, place, leaves.to)) throw leadsInCircle(page)
  if (leaves === undefined) endAddress(state.tree, place)
  else if (!leaveAddress(state.tree, url, leaves) && page.entry === undefined) return unchanged(page.id)
  return { id: page.id, created: false, subject: subjectOf(page, leaves), trailers: [['Page-Id', page.id]] }
}

function subjectOf({ path, entry }: PlacedPage, leaves: Kind<'unpublish-page'>['leaves']): string {
  if (leaves === undefined || entry !== undefined) return `Unpublish ${path}`
  return 'gone' in leaves ? `Mark ${path} as gone` : `Redirect ${path} to ${leaves.to}`
}

function leadsInCircle({ path }: PlacedPage): ServiceError {
  return new ServiceError(
    'conflict',
    `The redirect from ${path} would lead back to it. Name another place, or leave redirectTo out.`,
  )
}

/** Restores the bytes of an earlier version in a new commit. A rollback never conflicts, and can itself be rolled back. */
export function rollbackPage(state: SiteState, operation: Kind<'rollback-page'>): Outcome {
  const page = placePage(state, operation.page)
  checkIfMatch(state, operation.ifMatch, pathsOf(page), operation.page)
  if (page.entry?.oid === operation.blob) return unchanged(page.id)
  if (page.entry === undefined) {
    const earlier = parentsOf(state, operation.undone.newest.slice(0, 1))
    assertMayReturn(state, page.treePath, earlier, () => assertPathFree(state, page.path))
    if (page.sidecar === undefined) putSidecar(state, page, null)
  }
  if (state.odb.readHeader(operation.blob).type !== 'blob') {
    throw new ServiceError('version_not_found', 'The bytes of this version are not in the repository.')
  }
  state.tree.putExisting(page.treePath, MODE_BLOB, operation.blob)
  return {
    id: page.id,
    created: page.entry === undefined,
    subject: `Roll back ${page.path} to ${operation.version.slice(0, 10)}`,
    body: undoneLines(operation.undone),
    trailers: [['Page-Id', page.id]],
  }
}

export function requirePublished(page: PlacedPage): PlacedPage {
  if (page.entry !== undefined) return page
  throw new ServiceError(
    'page_unpublished',
    'This page is unpublished. Publish its path again, or roll it back to a version, and it returns with its id.',
    { id: page.id, path: page.path },
  )
}
