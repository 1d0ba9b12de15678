// PATCH of a page's content: the text as the client read it, with its edits made.

import { isUtf8 } from 'node:buffer'
import type { PageData } from '../../../schemas/pages.js'
import { ServiceError } from '../../model/errors.js'
import { changePage } from './change-page.js'
import { editText, type TextEdit } from './edit-text.js'
import { type FoundPage, findPage } from './find-page.js'
import { toHtmlBytes } from '../templates/page-html.js'
import type { Conditions, DryRunInput, ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { staleError } from './stale.js'
import type { RequestContext } from '../context/request-context.js'

export interface EditContentInput extends ResourceId, Conditions, DryRunInput {
  edits: readonly TextEdit[]
  reason?: string
}

/**
 * Makes every edit or none, on the very version that `ifMatch` names. Throws `precondition_required` without one,
 * `edit_not_applicable`, `page_unpublished`.
 */
export async function editContent(
  services: Services,
  context: RequestContext,
  input: EditContentInput,
): Promise<Result<PageData>> {
  const page = await findPage(services, context, input.id)
  const html = editedHtml(services, page, input)
  // Whatever the client allowed, the edits were made on this state, and nothing newer is overwritten.
  const operation = { kind: 'replace-page', page: page.known, html, ifMatch: [page.row.etag] } as const
  return await changePage(services, context, page, { operation, input, reason: input.reason })
}

/** The page's bytes with the edits made. */
export function editedHtml(
  services: Services,
  { site, row }: FoundPage,
  { edits, ifMatch }: Pick<EditContentInput, 'edits' | 'ifMatch'>,
): Uint8Array {
  if (ifMatch === undefined) {
    throw new ServiceError(
      'precondition_required',
      'Send the entity tag of what you read as If-Match: edits are about that text, and no other.',
    )
  }
  if (row.blob === null) {
    throw new ServiceError('page_unpublished', 'This page is unpublished: publish it again before you edit it.')
  }
  if (ifMatch !== '*' && !ifMatch.includes(row.etag)) throw staleError(services, site, row, ifMatch)
  const bytes = services.store.snapshot(site).blob(row.blob)
  if (!isUtf8(bytes)) {
    throw new ServiceError('edit_not_applicable', 'The page is not UTF-8, so its text cannot be edited: replace it.')
  }
  return toHtmlBytes(services, editText(bytes.toString(), edits))
}
