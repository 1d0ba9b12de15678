// Publishes a page at a path: creates it, revives an unpublished page with its id, or replaces it if the caller asks for that.

import { ServiceError } from '../../model/errors.js'
import { freeDerivedId } from '../../model/ids.js'
import type { Sidecar } from '../../model/commits/facts.js'
import { treePathOf } from '../../model/paths/page-path.js'
import { findSidecarId } from './sidecar-search.js'
import { encodeSidecar, sidecarPathOf } from '../format/site-format.js'
import type { SiteState } from '../staging/site-state.js'
import type { Operation } from '../protocol/write.js'
import { checkIfMatch, type Outcome, unchanged } from './outcome.js'
import { assertPathFree, fileAt, isTitleSetTo, pathsOf, type PlacedPage, putSidecar, titleGiven } from './page-place.js'

type PublishPage = Extract<Operation, { kind: 'publish-page' }>

export function publishPage(state: SiteState, operation: PublishPage): Outcome {
  const { path } = operation
  const entry = fileAt(state, treePathOf(path))
  const sidecarId = findSidecarId(state, path, operation.sidecar)
  if (entry === undefined) return createPage(state, operation, sidecarId ?? idOfLastPage(state, operation))
  const id = sidecarId ?? idOfPushedFile(state, operation)
  if (!operation.replace) {
    throw new ServiceError('page_exists', `A page is published at ${path} already. Replace it by its id.`, { id, path })
  }
  const sidecar = state.sidecar(id)
  return replaceBytes(
    state,
    { id, path, treePath: treePathOf(path), sidecarPath: sidecarPathOf(id), sidecar, entry },
    operation,
  )
}

/** Returns the id of a file without a sidecar, as the index knows it. */
function idOfPushedFile(state: SiteState, { path, newId }: PublishPage): string {
  return freeDerivedId(state.siteId, path, (id) => state.sidecar(id) !== undefined) ?? newId
}

/** Returns the id of the page that last stood at the path without a sidecar, unless a sidecar took that id to another path. */
function idOfLastPage(state: SiteState, { known, newId }: PublishPage): string {
  return known !== undefined && state.sidecar(known.id) === undefined ? known.id : newId
}

function createPage(state: SiteState, operation: PublishPage, id: string): Outcome {
  const { path, html, templateId } = operation
  if (operation.ifMatch !== undefined) {
    throw new ServiceError('precondition_failed', 'Nothing is published at this path, so no entity tag can match.')
  }
  assertPathFree(state, path)
  const title = titleGiven(operation.title) ?? keptTitle(state.sidecar(id), operation, id)
  state.tree.put(treePathOf(path), html)
  state.tree.put(sidecarPathOf(id), encodeSidecar({ path, title, templateId }))
  return { id, created: true, subject: `Publish ${path}`, trailers: [['Page-Id', id]] }
}

/** Returns the title that a client set before the page was unpublished. */
function keptTitle(sidecar: Sidecar | undefined, { known }: PublishPage, id: string): string | null {
  if (sidecar === undefined) return null
  const isUnset = !sidecar.isTitleMarked && known?.id === id && !known.titleIsSet
  return isUnset ? null : sidecar.title
}

/** Stages new bytes, and a new title if one is given, for a published page. Equal bytes and title make no commit. */
export function replaceBytes(
  state: SiteState,
  page: PlacedPage,
  change: {
    html: Uint8Array
    title?: string | undefined
    ifMatch?: readonly string[] | '*'
    known?: { lastChange: string; asOf: string }
  },
): Outcome {
  // If the caller knows no last change, the whole first-parent history is searched. That is rare.
  checkIfMatch(state, change.ifMatch, pathsOf(page), change.known ?? { lastChange: '', asOf: '' })
  const sameBytes = page.entry !== undefined && state.tree.hasBytes(page.entry.oid, change.html)
  const title = titleGiven(change.title)
  const sameTitle = title === undefined || isTitleSetTo(page.sidecar, title)
  if (sameBytes && sameTitle) return unchanged(page.id)
  if (!sameBytes) state.tree.put(page.treePath, change.html)
  if (page.sidecar === undefined || !sameTitle) putSidecar(state, page, title ?? null)
  return { id: page.id, created: false, subject: `Replace ${page.path}`, trailers: [['Page-Id', page.id]] }
}
