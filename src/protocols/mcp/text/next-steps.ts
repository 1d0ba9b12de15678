// The next step after each refusal. It is true for every tool that can be refused so, or it depends on the details.

import type { ErrorCode } from '../../../model/errors.js'

/** Codes of the tools, in addition to the API's own. */
type ToolErrorCode = ErrorCode | 'invalid_arguments' | 'service_unreachable' | 'service_slow' | 'not_the_service'

type Details = Readonly<Record<string, unknown>>

const RETRY = 'Try again in a few seconds.'
const TELL = 'Nothing that you send helps: tell the user, who asks the operator.'
const TELL_OF_QUOTA = 'Tell the user: the workspace has used its quota (get_usage).'
const OTHER_SLUG = 'Choose another slug.'

const NEXT_STEPS: Readonly<Partial<Record<ToolErrorCode, string | ((details: Details) => string)>>> = {
  approval_required: ({ propose }) =>
    propose === undefined
      ? 'Tell the user, who looks at the change request and publishes it.'
      : 'Call the same tool again with changeRequest: "new". Then tell the user, who publishes it.',
  ambiguous_id: ({ ids }) =>
    ids === undefined ? 'Pass siteId: one of details.siteIds.' : 'Pass one of details.ids instead of the name.',
  batch_refused: 'Fix the operations that are named, by their index from 0, and send all of them again.',
  byte_quota_exceeded: TELL_OF_QUOTA,
  change_request_closed:
    'Reopen a closed one with edit_change_request state="draft", or call again with changeRequest: "new".',
  change_request_not_found: 'Find it with list_change_requests, or call again with changeRequest: "new" to make one.',
  collection_not_found: 'Find the id with list_collections.',
  comment_not_found: 'Read the comments with get_change_request.',
  disk_reserve: TELL,
  edit_not_applicable: stepOfEdit,
  file_not_found: 'Find the file with list_files; a page is read with get_page.',
  forbidden_scope: 'Ask the user for a key that may do this.',
  idempotency_in_progress: RETRY,
  idempotency_key_reused: 'Choose a new idempotencyKey for another change.',
  identity_provider_down: RETRY,
  insufficient_scope: ({ scope }) =>
    typeof scope === 'string'
      ? `Tell the user that this needs the scope "${scope}", by a key or by connecting this program again. Go on with what get_me says you may do.`
      : 'Ask the user for a key that is not limited to sites.',
  internal: TELL,
  invalid_arguments: 'Call again with arguments that fit the schema of the tool.',
  invalid_cursor: 'Start the list again, without cursor.',
  invalid_record: 'Read the schema with list_collections and make the data fit it.',
  invalid_rules: 'Correct the lines that are named; force=true takes the others without them.',
  merge_conflict: ({ etag }) =>
    typeof etag === 'string'
      ? 'Settle each marked place, take the marks out, and send the whole with details.etag as ifMatch.'
      : 'Settle each path with update_change_request, then publish again.',
  name_taken: 'Use the collection with the id in details, or choose another name.',
  not_the_service: 'Check PALIMPSEST_URL.',
  not_text: 'Replace the whole file with put_file, from text or base64, where that is wanted.',
  outcome_unknown: 'Read it again before you retry: the change may have been made.',
  page_exists: 'Use edit_page or update_page with the id in details, or choose another path.',
  page_not_found: 'Find the page with list_pages; status "all" includes unpublished pages.',
  page_quota_exceeded: TELL_OF_QUOTA,
  part_not_found: 'Read the page as outline for its headings, or without heading and selector.',
  page_unpublished: 'Bring it back with rollback_page, or publish its path again with create_page.',
  path_conflict: 'Choose another path, or remove the page or file that the message names.',
  path_not_allowed: 'Write where the key may write, or ask the user for a key that may write there.',
  payload_too_large: 'Send less: split the page, or edit it in parts.',
  precondition_failed:
    'Apply your change to the current version: the diff shows what changed, and its etag is the ifMatch to send. Read it again if you need more, or there is no diff.',
  precondition_required: 'Read it with get_page or get_file, and send its etag as ifMatch.',
  queue_full: RETRY,
  record_not_found: 'Find the record with list_records.',
  reserved_slug: OTHER_SLUG,
  revert_conflict: 'Leave out the commits named in the conflicts, undo the later ones too, or edit the pages.',
  service_busy: RETRY,
  service_slow: 'Before you retry a change, read whether it was made.',
  service_unreachable: 'Ask the user whether the service runs, and at which address.',
  shutting_down: RETRY,
  site_busy: RETRY,
  site_not_found: 'Find the site with list_sites.',
  site_quota_exceeded: TELL_OF_QUOTA,
  site_unreadable: TELL,
  slug_taken: OTHER_SLUG,
  storage_failed: TELL,
  storage_full: TELL,
  too_many_change_requests:
    'Write to an open one of list_change_requests, or close those that nobody needs with edit_change_request state="closed".',
  too_many_requests: 'Wait a minute, and send fewer requests.',
  too_costly: 'Do it in smaller parts, or on a simpler page.',
  unauthenticated: 'The key is missing, wrong, expired or revoked: ask the user for a valid one.',
  unknown_template: 'Use one of the templates that the message names.',
  version_not_found:
    'Find versions of a page with list_versions, commits with list_commits; of a file, the message tells the numbers.',
  workspace_not_found: 'Find the workspace with list_workspaces, or leave accountId out.',
}

const OTHERWISE = 'Fix the problem named in the message and call again.'

export function nextStep(code: string, details: unknown): string {
  const step = Object.hasOwn(NEXT_STEPS, code) ? NEXT_STEPS[code as ToolErrorCode] : undefined
  return (typeof step === 'function' ? step((details ?? {}) as Details) : step) ?? OTHERWISE
}

function stepOfEdit({ count, errors }: Details): string {
  if (typeof count === 'number') return `Send count=${count} to replace all of these places.`
  if (errors !== undefined) return 'Change the edits, or leave out the pages that are named.'
  return 'Read it again with get_page or get_file. Each find must occur in it exactly once.'
}
