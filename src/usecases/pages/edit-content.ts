// Handles PATCH of a page's content: applies edits to the text that the client read.

import type { PageData } from '../../../schemas/pages.js'
import { ServiceError } from '../../model/errors.js'
import { changePage } from './change-page.js'
import type { TextEdit } from '../../texts/edit-places.js'
import { editHtml } from '../../texts/edit-text.js'
import { editFile } from '../../texts/file-text.js'
import { type FoundPage, findPage } from './find-page.js'
import { toHtmlBytes } from '../templates/page-html.js'
import type { Call, Changing, Reading, SiteCall } from '../context/call.js'
import type { Conditions, DryRunInput, ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import { staleError } from './stale.js'

/** Limit for the page and all that is sent. */
const MAX_SHORT_CHARACTERS = 32 * 1024

export interface EditContentInput extends ResourceId, Conditions, DryRunInput {
  edits: readonly TextEdit[]
  reason?: string
}

/**
 * Applies all edits or none, to the version that `ifMatch` names. Throws `precondition_required` without one, `edit_not_applicable`,
 * `page_unpublished`.
 */
export async function editContent(call: Call<Changing>, input: EditContentInput): Promise<Result<PageData>> {
  const page = await findPage(call, input.id)
  const html = await editedHtml(call, page, input)
  // The edits were applied to this version, so only it may be replaced, even if the client sent `*`.
  const operation = { kind: 'replace-page', page: page.known, html, ifMatch: [page.row.etag] } as const
  return await changePage(call, page, { operation, input, reason: input.reason })
}

/** Returns the page's bytes with the edits made. They count as sent by the request. */
export async function editedHtml(
  call: Call<Reading | 'limits' | 'tasks'>,
  { site, row }: FoundPage,
  { edits, ifMatch }: Pick<EditContentInput, 'edits' | 'ifMatch'>,
): Promise<Uint8Array> {
  if (ifMatch === undefined) throw matchRequired()
  const isStale = row.blob !== null && ifMatch !== '*' && !ifMatch.includes(row.etag)
  if (isStale) throw await staleError({ ...call, site }, row, ifMatch)
  return await editedVersion({ ...call, site }, row.blob, edits)
}

/** Returns the bytes of a version of a page with the edits made. Throws `page_unpublished` if it has none. */
export async function editedVersion(
  call: SiteCall<'limits' | 'store' | 'tasks'>,
  blob: string | null,
  edits: readonly TextEdit[],
): Promise<Uint8Array> {
  if (blob === null) {
    throw new ServiceError('page_unpublished', 'This page is unpublished: publish it again before editing it.')
  }
  const size = call.store.reader.snapshot(call.site).size(blob)
  return toHtmlBytes(call, await editedBytes(call, { task: 'editHtml', blob, size, edits }))
}

export function matchRequired(): ServiceError {
  return new ServiceError(
    'precondition_required',
    'If-Match is required: send the ETag of the version you read. Edits apply only to that version.',
  )
}

const EDITORS = { editHtml, editFile }

/** Returns the bytes of a page or file with the edits made; a task makes long edits. */
export async function editedBytes(
  call: SiteCall<'store' | 'tasks'>,
  { task, blob, size, edits }: { task: keyof typeof EDITORS; blob: string; size: number; edits: readonly TextEdit[] },
): Promise<Uint8Array> {
  const { hold, site } = call
  const snapshot = call.store.reader.snapshot(site)
  if (isShort(size, edits)) return EDITORS[task](snapshot.blob(blob), edits)
  const source = call.store.sourceOf(site, snapshot)
  await hold(size)
  const edited = await call.tasks.run(task, { source, blob, edits }, site)
  await hold(edited.byteLength - size, 'made')
  return edited
}

/** Whether the edits take less time than the way to a task process: half a millisecond for so many characters. */
function isShort(size: number, edits: readonly TextEdit[]): boolean {
  // A pattern takes a hundred times as long.
  if (edits.some(({ pattern }) => pattern !== undefined)) return false
  const sent = edits.reduce((sum, { find = '', replace }) => sum + find.length + replace.length, 0)
  return size + sent <= MAX_SHORT_CHARACTERS
}
