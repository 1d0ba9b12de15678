// Words a refusal that an agent can act on: the code, the reason, and the next step.

import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ErrorCode } from '../../../model/errors.js'
import { cutToBytes } from '../../../model/text-parts.js'
import { MAX_DATA_BYTES } from './bound.js'
import { withLongText } from './long-text.js'
import { json, oneLine } from './untrusted-text.js'

export interface Failure {
  code: string
  message: string
  requestId?: string | undefined
  /** The next step, if it is not that of the code. */
  next?: string
  details?: unknown
}

/** Codes of the tools, in addition to the API's own. */
type ToolErrorCode = ErrorCode | 'invalid_arguments' | 'service_unreachable' | 'service_slow' | 'not_the_service'

const NEXT_STEPS: Readonly<Partial<Record<ToolErrorCode, string>>> = {
  ambiguous_id: 'Pass siteId (list_sites).',
  batch_refused: 'Fix the operations that are named, by their index from 0, and send all of them again.',
  collection_not_found: 'Find the id with list_collections.',
  edit_not_applicable: 'Read it again with get_page or get_file. Each find must occur in it exactly once.',
  file_not_found: 'Find the file with list_files; a page is read with get_page.',
  forbidden_scope: 'Ask the user for a key that may do this.',
  idempotency_in_progress: 'Try again in a few seconds.',
  identity_provider_down: 'Try again in a few seconds.',
  insufficient_scope: 'This key may only read. Ask the user for a key with the scope "write".',
  invalid_arguments: 'Call again with arguments that fit the schema of the tool.',
  invalid_cursor: 'Start the list again, without cursor.',
  invalid_record: 'Read the schema with list_collections and make the data fit it.',
  not_the_service: 'Check BASE_URL.',
  not_text: 'Replace the whole file with put_file, from text or base64, where that is wanted.',
  outcome_unknown: 'Read it again before you retry: the change may have been made.',
  page_exists: 'Use edit_page or update_page with the id in details, or choose another path.',
  page_not_found: 'Find the page with list_pages; status "all" includes unpublished pages.',
  part_not_found: 'Read the page as outline for its headings, or without heading and selector.',
  page_unpublished: 'Bring it back with rollback_page, or publish its path again with create_page.',
  path_conflict: 'Choose another path, or remove the page or file that the message names.',
  payload_too_large: 'Send less: split the page, or edit it in parts.',
  precondition_failed:
    'Apply your change to the current version: the diff shows what changed, and its etag is the ifMatch to send. Read it again if you need more, or there is no diff.',
  precondition_required: 'Read it with get_page or get_file, and send its etag as ifMatch.',
  queue_full: 'Try again in a few seconds.',
  service_busy: 'Try again in a few seconds.',
  record_not_found: 'Find the record with list_records.',
  revert_conflict: 'Leave out the commits named in the conflicts, undo the later ones too, or edit the pages.',
  service_slow: 'Before you retry a change, read whether it was made.',
  service_unreachable: 'Ask the user whether the service runs, and at which address.',
  site_busy: 'Try again in a few seconds.',
  site_not_found: 'Find the site with list_sites.',
  too_many_requests: 'Wait a minute, and send fewer requests.',
  too_costly: 'Do it in smaller parts, or on a simpler page.',
  unauthenticated: 'The key is missing, wrong, expired or revoked: ask the user for a valid one.',
  unknown_template: 'Use one of the templates that the message names.',
  version_not_found: 'Find the version of a page with list_versions; of a file, the message tells the numbers.',
  workspace_not_found: 'Find the workspace with list_workspaces, or leave accountId out.',
}

const OTHERWISE = 'Fix the problem named in the message and call again.'

/** The key of the error in a result's `_meta`. */
export const ERROR_META = 'palimpsest/error'

/**
 * Puts the error into `_meta`, for programs. It is not structured content: that must fit the tool's output schema, and clients of SDK
 * version 1 check it in refusals too (modelcontextprotocol/typescript-sdk#1943).
 */
export function refusalResult(failure: Failure, bytes: number): CallToolResult {
  const { code, message, requestId, details } = failure
  const next = failure.next ?? (NEXT_STEPS as Readonly<Record<string, string>>)[code] ?? OTHERWISE
  const told = details === undefined || json(details).length > MAX_DATA_BYTES ? {} : { details }
  const error = { code, message, next, ...(requestId && { requestId }), ...told }
  const reason = cutToBytes(oneLine(message), bytes / 2)
  const text = detailsText(`${code}: ${reason}\nNext: ${next}`, details, bytes)
  return { isError: true, content: [{ type: 'text', text: cutToBytes(text, bytes) }], _meta: { [ERROR_META]: error } }
}

/** Words the details. A diff is easier to read as plain lines than as a JSON string. */
function detailsText(head: string, details: unknown, bytes: number): string {
  if (details === undefined) return head
  const { diff, ...rest } = details as { diff?: unknown }
  const unified = typeof diff === 'string' ? diff : (diff as { unified?: unknown } | undefined)?.unified
  if (typeof unified !== 'string') return `${head}\n${json(details)}`
  return withLongText(`${head}\n${json(rest)}`, { name: 'diff', text: unified }, bytes)
}
