// The one error class for refusals that a client or an operator can cause. Protocols turn a code into a status;
// docs/errors.md explains every code.

import { MAX_MESSAGE_CHARACTERS } from './limits.js'

export type ErrorCode =
  | 'agent_not_found'
  | 'ambiguous_id'
  | 'batch_refused'
  | 'body_too_slow'
  | 'approval_refused'
  | 'approval_required'
  | 'borrowed_session'
  | 'byte_quota_exceeded'
  | 'blobs_missing'
  | 'change_request_closed'
  | 'change_request_not_found'
  | 'collection_not_found'
  | 'comment_not_found'
  | 'comment_of_another'
  | 'conflict'
  | 'consent_not_found'
  | 'cross_site_request'
  | 'deploy_not_found'
  | 'disk_reserve'
  | 'edit_not_applicable'
  | 'file_not_found'
  | 'forbidden_role'
  | 'forbidden_scope'
  | 'fresh_proof_required'
  | 'guest_comments_off'
  | 'idempotency_in_progress'
  | 'idempotency_key_reused'
  | 'identity_not_found'
  | 'identity_provider_down'
  | 'identity_provider_not_found'
  | 'identity_taken'
  | 'insufficient_scope'
  | 'internal'
  | 'invalid_body'
  | 'invalid_cursor'
  | 'invalid_deploy'
  | 'invalid_header'
  | 'invalid_id'
  | 'invalid_json'
  | 'invalid_path'
  | 'invalid_query'
  | 'invalid_record'
  | 'invalid_remote'
  | 'invalid_rules'
  | 'invalid_schema'
  | 'invalid_slug'
  | 'invitation_for_another'
  | 'invitation_invalid'
  | 'invitation_not_found'
  | 'key_not_found'
  | 'last_owner'
  | 'last_way_in'
  | 'link_not_found'
  | 'mail_domain_not_found'
  | 'member_not_found'
  | 'merge_conflict'
  | 'method_not_allowed'
  | 'mirror_not_found'
  | 'name_taken'
  | 'not_a_member'
  | 'not_found'
  | 'not_text'
  | 'origin_not_allowed'
  | 'outcome_unknown'
  | 'page_exists'
  | 'page_not_found'
  | 'page_quota_exceeded'
  | 'page_unpublished'
  | 'part_not_found'
  | 'passkey_not_found'
  | 'passkey_refused'
  | 'person_required'
  | 'path_conflict'
  | 'path_not_allowed'
  | 'payload_too_large'
  | 'precondition_failed'
  | 'precondition_required'
  | 'protected_workspace'
  | 'queue_full'
  | 'record_not_found'
  | 'reserved_slug'
  | 'revert_conflict'
  | 'review_link_invalid'
  | 'route_not_found'
  | 'secret_not_replayable'
  | 'service_busy'
  | 'session_not_found'
  | 'shutting_down'
  | 'sign_in_link_invalid'
  | 'sign_in_refused'
  | 'site_busy'
  | 'site_mismatch'
  | 'site_not_found'
  | 'site_quota_exceeded'
  | 'site_unreadable'
  | 'slug_taken'
  | 'storage_failed'
  | 'storage_full'
  | 'template_failed'
  | 'too_costly'
  | 'too_many_change_requests'
  | 'too_many_comments'
  | 'too_many_deploys'
  | 'too_many_imports'
  | 'too_many_requests'
  | 'unauthenticated'
  | 'unknown_template'
  | 'unsupported_media_type'
  | 'version_not_found'
  | 'workspace_not_found'

/** A refusal that is safe to show. `message` says what to do, and is cut if very long; `details` names the fields or values at fault. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly details: unknown

  constructor(code: ErrorCode, message: string, details?: unknown) {
    super(message.length <= MAX_MESSAGE_CHARACTERS ? message : message.slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed())
    this.name = 'ServiceError'
    this.code = code
    this.details = details
  }
}

/** Whether the writer refused a prepared write because the site has changed since: it may be prepared again. */
export function isStale(error: unknown): boolean {
  return error instanceof ServiceError && saysRetry(error.details)
}

/** Whether the details of a refusal say that the change may be prepared again (`retry`). */
export function saysRetry(details: unknown): boolean {
  return typeof details === 'object' && details !== null && 'retry' in details && details.retry === true
}

/** Returns the one answer to all requests without a valid key or token, so that it does not reveal what was wrong. */
export function noValidKey(): ServiceError {
  return new ServiceError('unauthenticated', 'Send a valid API key: "Authorization: Bearer <key>".')
}

/** Refuses a token that was made for another address of this service (RFC 8707). */
export function foreignToken(resource: string): ServiceError {
  return new ServiceError('unauthenticated', `This token is for ${resource} only: get another one for this address.`)
}

/** Failures of the service or its machine, or no room there: the request was in order and may be sent again. */
const TROUBLES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'byte_quota_exceeded',
  'disk_reserve',
  'identity_provider_down',
  'internal',
  'outcome_unknown',
  'queue_full',
  'service_busy',
  'shutting_down',
  'site_busy',
  'site_unreadable',
  'storage_failed',
  'storage_full',
])

export function isTrouble(code: ErrorCode): boolean {
  return TROUBLES.has(code)
}

/** Returns why no tag of an If-Match field matches: `changed`, unless all its tags are weak. Those are left out when it is parsed. */
export function whyStale(ifMatch: readonly string[] | '*' | undefined, changed: string): string {
  if (ifMatch?.length !== 0) return changed
  return 'If-Match has only weak entity tags, and those match nothing. A proxy changed the tag: send it without W/.'
}
