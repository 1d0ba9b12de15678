// Finds the pages that a request edits, and makes the edits outside the serving thread.

import type { EditPagesBody } from '../../../schemas/batch.js'
import { isTrouble, ServiceError } from '../../model/errors.js'
import { isUuid } from '../../model/ids.js'
import { parsePagePath } from '../../model/paths/page-path.js'
import type { AtSite, Call, Reading, SiteCall } from '../context/call.js'
import { isFileThere } from '../files/file-data.js'
import { type FoundPage, findPageAt, findPageIn } from '../pages/find-page.js'
import { toPathPrefix } from '../pages/search-pages.js'
import { toHtmlBytes } from '../templates/page-html.js'

const MAX_PAGES = 500
/** The most refusals that an answer lists. */
const MAX_REFUSED = 50
/** Limit for all edited pages together: they wait for the site's writer as one write. */
const MAX_EDITED_BYTES = 32 * 1024 * 1024

export interface EditedPage {
  page: FoundPage
  html: Uint8Array
  /** Number of places that were replaced. */
  count: number
}

interface Refused {
  page: string
  code: string
  message: string
}

/** Returns only the pages that differ. Throws `edit_not_applicable` with every page that cannot be edited. */
export async function editPagesOf(
  call: SiteCall<Reading | 'limits' | 'tasks'>,
  input: EditPagesBody,
): Promise<EditedPage[]> {
  const refused: Refused[] = []
  const edited: EditedPage[] = []
  let bytes = 0
  for (const { name, page } of await findPages(call, input)) {
    try {
      if (page === undefined) throw noSuchPage(call, name)
      const change = await editOne(call, page, input)
      if (change.count > 0) edited.push(change)
      bytes += change.html.byteLength
    } catch (error) {
      if (!(error instanceof ServiceError) || isTrouble(error.code)) throw error
      refused.push({ page: name, code: error.code, message: error.message })
    }
    if (bytes > MAX_EDITED_BYTES) {
      throw new ServiceError('payload_too_large', 'These pages are too large to edit at once: name fewer.')
    }
  }
  const [first] = refused
  if (first === undefined) return edited
  throw new ServiceError(
    'edit_not_applicable',
    `Nothing was changed: ${refused.length} pages cannot be edited. The first is ${first.page}: ${first.message}`,
    { errors: refused.slice(0, MAX_REFUSED) },
  )
}

/** Says so if a file is there. */
export function noSuchPage(call: AtSite<'store'>, name: string): ServiceError {
  const hint = isFileThere(call, name) ? ' It is a file: PATCH /files/content edits it.' : ''
  return new ServiceError('page_not_found', `There is no such page.${hint}`)
}

async function editOne(
  call: Call<'limits' | 'store' | 'tasks'>,
  page: FoundPage,
  { edits }: EditPagesBody,
): Promise<EditedPage> {
  const { hold } = call
  const { site, row } = page
  if (row.blob === null) throw new ServiceError('page_unpublished', 'This page is unpublished.')
  const source = call.store.sourceOf(site, call.store.reader.snapshot(site))
  await hold(row.size)
  const edited = await call.tasks.run('editOneOfMany', { source, blob: row.blob, edits }, site)
  await hold(edited.html.byteLength - row.size, 'made')
  return { page, html: toHtmlBytes(call, edited.html), count: edited.replaced }
}

/** Returns each page once. */
async function findPages(
  call: AtSite<'indexFollower'>,
  { pages, prefix }: EditPagesBody,
): Promise<{ name: string; page: FoundPage | undefined }[]> {
  if ((pages === undefined) === (prefix === undefined)) {
    throw new ServiceError('invalid_body', 'Name the pages: send either "pages" or "prefix".')
  }
  const names = pages ?? (await listPaths(call, prefix ?? ''))
  const found = new Map<string, { name: string; page: FoundPage | undefined }>()
  for (const name of names) {
    const page = isUuid(name) ? await findPageIn(call, name.toLowerCase()) : await findPageAt(call, parsePagePath(name))
    found.set(page?.row.id ?? name, { name, page })
  }
  return [...found.values()]
}

function nothingBegins(prefix: string): ServiceError {
  const hint = prefix.includes('*') ? ' A prefix has no wildcards: leave out *.' : ''
  return new ServiceError(
    'page_not_found',
    `The path of no published page begins with ${prefix}. Nothing was changed.${hint}`,
  )
}

async function listPaths({ indexFollower, site }: AtSite<'indexFollower'>, prefix: string): Promise<string[]> {
  const query = { prefix: toPathPrefix(prefix), limit: MAX_PAGES }
  const { rows, nextCursor } = await indexFollower.read(site, (index) => index.pages.list(query))
  if (rows.length === 0) throw nothingBegins(prefix)
  if (nextCursor === null) return rows.map(({ path }) => path)
  throw new ServiceError('conflict', `More than ${MAX_PAGES} pages begin with this prefix: name a longer one.`)
}
