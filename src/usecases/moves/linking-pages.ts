// The pages that link to what moves: named in a dry run, and rewritten if the client asks for that.

import type { LinkedFrom } from '../../../schemas/pages.js'
import { ServiceError } from '../../model/errors.js'
import { placeOfFile, placeOfUrl } from '../../model/paths/link-place.js'
import { urlPathOfFile } from '../../model/paths/file-path.js'
import { type PagePath, urlPathOf } from '../../model/paths/page-path.js'
import type { Rewrite, Rewritten } from '../../repository/protocol/write.js'
import type { AtSite, Reading, SiteCall } from '../context/call.js'
import { type FoundPage, findPageIn } from '../pages/find-page.js'
import { pathOf } from '../pages/page-data.js'
import { toHtmlBytes } from '../templates/page-html.js'
import { findLinking } from './find-linking.js'
import { inParts } from './in-parts.js'

/** The most pages that a dry run names, and that one move rewrites without moving them. */
export const MAX_LINKING = 500
/** The most bytes of pages that one move rewrites: they wait for the site's writer as one write. */
const MAX_REWRITTEN_BYTES = 32 * 1024 * 1024
/** The bytes of html that one task reads. */
const BYTES_AT_ONCE = 2 * 1024 * 1024

/** Pages and files that move, with their new paths. */
export interface Moving {
  pages: readonly { page: FoundPage; path: PagePath }[]
  /** Tree paths. */
  files: readonly { from: string; to: string }[]
}

export interface RewrittenLinks {
  /** New html of pages that move, by id. */
  moved: ReadonlyMap<string, Rewritten>
  /** New html of pages that stay. */
  rewrites: readonly Rewrite[]
}

/** Lists the pages that link to what moves, by path. Throws `site_busy` if the site's text does not catch up in time. */
export async function listLinkedFrom(call: AtSite<Reading | 'tasks'>, moving: Moving): Promise<LinkedFrom[]> {
  const places = placesOf(moving).map(([place]) => place)
  return (await findLinking(call, places, MAX_LINKING)).map(({ pageId: id, path, line }) => ({ id, path, line }))
}

/** Rewrites the links to what moves, and those of the pages that move. Throws `too_costly` for too many pages, and `site_busy`. */
export async function rewriteLinksTo(
  call: SiteCall<Reading | 'limits' | 'tasks'>,
  moving: Moving,
): Promise<RewrittenLinks> {
  const places = placesOf(moving)
  const isMoving = new Set(moving.pages.map(({ page }) => page.row.id))
  const most = MAX_LINKING + isMoving.size
  const linking = await findLinking(
    call,
    places.map(([place]) => place),
    most + 1,
  )
  const staying = linking.filter(({ pageId }) => !isMoving.has(pageId))
  if (staying.length > MAX_LINKING) throw tooMany()
  const others: ToRewrite[] = []
  for (const { pageId } of staying) {
    const page = await findPageIn(call, pageId)
    if (page?.row.blob != null) others.push({ page, path: pathOf(page.row) })
  }
  const made = await rewriteEach(call, [...moving.pages, ...others], places)
  const moved = made.flatMap(({ page, ...rest }) => (isMoving.has(page.row.id) ? [[page.row.id, rest] as const] : []))
  const rewrites = made.flatMap(({ page, ...rest }) =>
    isMoving.has(page.row.id) ? [] : [{ page: page.known, ...rest }],
  )
  return { moved: new Map(moved), rewrites }
}

interface ToRewrite {
  page: FoundPage
  /** Its path after the move. */
  path: PagePath
}

async function rewriteEach(
  call: SiteCall<Reading | 'limits' | 'tasks'>,
  pages: readonly ToRewrite[],
  moved: readonly (readonly [place: string, url: string])[],
): Promise<(Rewritten & { page: FoundPage })[]> {
  const { hold, site, store, tasks } = call
  const source = store.sourceOf(site, store.reader.snapshot(site))
  const made: (Rewritten & { page: FoundPage })[] = []
  let bytes = 0
  // A page that is only a file keeps its bytes.
  const short = pages.filter(({ page }) => page.row.size <= call.limits.maxHtmlBytes)
  for (const some of inParts(short, sizeOf, BYTES_AT_ONCE)) {
    const asked = some.map(({ page: { row }, path }) => {
      return { blob: row.blob ?? '', at: urlPathOf(pathOf(row)), to: urlPathOf(path) }
    })
    await hold(sumOf(some))
    const results = await tasks.run('rewritePages', { source, pages: asked, moved }, site)
    for (const [index, html] of results.entries()) {
      const page = some[index]?.page
      if (html === null || page === undefined) continue
      bytes += html.byteLength
      if (bytes > MAX_REWRITTEN_BYTES) throw tooMany()
      made.push({ page, html: toHtmlBytes(call, html), etag: page.row.etag })
    }
  }
  return made
}

function sumOf(pages: readonly ToRewrite[]): number {
  return pages.reduce((sum, page) => sum + sizeOf(page), 0)
}

function sizeOf({ page }: ToRewrite): number {
  return page.row.size
}

/** Returns each place that moves, with the path of its new URL. */
function placesOf({ pages, files }: Moving): (readonly [place: string, url: string])[] {
  return [
    ...pages.flatMap(({ page: { row }, path }) => {
      const place = placeOfUrl(urlPathOf(pathOf(row)))
      return place === undefined ? [] : [[place, urlPathOf(path)] as const]
    }),
    ...files.flatMap(({ from, to }) => {
      const [place, url] = [placeOfFile(from), urlPathOfFile(to)]
      return place === undefined || url === undefined ? [] : [[place, url] as const]
    }),
  ]
}

function tooMany(): ServiceError {
  return new ServiceError(
    'too_costly',
    `More than ${MAX_LINKING} pages link there, or they are too large to rewrite at once. Move without rewriteLinks: the old addresses lead to the new ones.`,
  )
}
