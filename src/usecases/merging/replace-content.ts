// Handles PUT of a page's content. A stale one is refused, or merged with what was published since.

import type { PageData } from '../../../schemas/pages.js'
import { ServiceError } from '../../model/errors.js'
import type { Conditions, DryRunInput, ResourceId } from '../context/input.js'
import type { RequestContext } from '../context/request-context.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { makeChange } from '../pages/change-page.js'
import { findPage } from '../pages/find-page.js'
import { replacePage } from '../pages/pages.js'
import { toHtmlBytes } from '../templates/page-html.js'
import { mergeHtml } from './merge-html.js'

interface ReplaceInput extends ResourceId, Conditions, DryRunInput {
  html: string | Uint8Array
  onConflict?: 'merge'
  reason?: string
}

/** How often a merge begins anew because somebody published meanwhile. */
const MAX_TRIES = 5

/** Throws `page_unpublished`, `precondition_failed`; with `onConflict` also `precondition_required` and `merge_conflict`. */
export async function replaceContent(
  services: Services,
  context: RequestContext,
  { onConflict, ...input }: ReplaceInput,
): Promise<Result<PageData>> {
  if (onConflict === undefined) return await replacePage(services, context, input)
  if (input.ifMatch === undefined || input.ifMatch === '*') throw baseRequired()
  const sent = toHtmlBytes(services, input.html)
  for (let tries = 1; ; tries++) {
    const page = await findPage(services, context, input.id)
    const { html, mergedWith } = await mergeHtml(services, context, page, { sent, ifMatch: input.ifMatch })
    const operation = { kind: 'replace-page', page: page.known, html, ifMatch: [page.row.etag] } as const
    try {
      const result = await makeChange(services, context, page, { operation, input, reason: input.reason })
      return mergedWith === undefined ? result : { ...result, data: { ...result.data, mergedWith } }
    } catch (error) {
      if (!isOvertaken(error) || tries === MAX_TRIES) throw error
    }
  }
}

/** Whether somebody published between the merge and its turn at the site's writer. */
function isOvertaken(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'precondition_failed'
}

function baseRequired(): ServiceError {
  return new ServiceError(
    'precondition_required',
    'If-Match is required with onConflict=merge: send the ETag of the version that you changed. The merge begins there.',
  )
}
