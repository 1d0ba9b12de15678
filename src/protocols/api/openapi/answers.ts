// The answers of an operation in the OpenAPI document: the envelope with its data, and each refusal by its status.

import type { TSchema } from 'typebox'
import { collectionData, recordData } from '../../../../schemas/collections.js'
import { errorBody, MAX_LIST_ENTRIES } from '../../../../schemas/common.js'
import { fileData, fileTextData } from '../../../../schemas/files.js'
import { pageData } from '../../../../schemas/pages.js'
import { versionData } from '../../../../schemas/versions.js'
import type { ErrorCode } from '../../../model/errors.js'
import { MAX_CURSOR_CHARACTERS, MAX_TREE_PATH_CHARACTERS } from '../../../model/limits.js'
import { ERROR_STATUS } from '../routes/error-status.js'
import { type Components, type Json, refer } from './components.js'
import type { OpenRoute } from '../routes/open-route.js'
import { type Route, takesRequest } from '../routes/route.js'

/** Codes with which every route may refuse. */
const ALWAYS_POSSIBLE: readonly ErrorCode[] = [
  'internal',
  'invalid_query',
  'service_busy',
  'shutting_down',
  'storage_failed',
]
const OF_BROWSERS: readonly ErrorCode[] = ['cross_site_request']
const OF_LIMITS: readonly ErrorCode[] = ['too_many_requests']
const OF_SESSIONS: readonly ErrorCode[] = [
  'identity_provider_down',
  'invalid_header',
  'origin_not_allowed',
  'unauthenticated',
]
/** Codes with which every route for keys may refuse. */
const OF_KEYS: readonly ErrorCode[] = [
  ...OF_BROWSERS,
  ...OF_LIMITS,
  ...OF_SESSIONS,
  'queue_full',
  'site_busy',
  'site_not_found',
  'site_unreadable',
  'too_costly',
  'workspace_not_found',
]
const OF_WRITES: readonly ErrorCode[] = [
  'approval_required',
  'byte_quota_exceeded',
  'disk_reserve',
  'insufficient_scope',
  'outcome_unknown',
  'page_quota_exceeded',
  'path_not_allowed',
  'storage_full',
]
const OF_BODIES: readonly ErrorCode[] = [
  'body_too_slow',
  'invalid_body',
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
]
const OF_REQUESTS: readonly ErrorCode[] = ['change_request_not_found', 'site_mismatch']
const OF_WRITES_TO_REQUESTS: readonly ErrorCode[] = ['change_request_closed', 'too_many_change_requests']
const OF_POSTS: readonly ErrorCode[] = ['idempotency_in_progress', 'idempotency_key_reused']

/** Header fields that any answer may have. */
const ALWAYS = {
  'X-Request-Id': headerField('Names the request in the log and in the commit.', 128),
  'Server-Timing': headerField('The places where the request waited, each with its milliseconds.', 512),
  'RateLimit-Policy': headerField('How many requests (`q`) a key and a workspace may send in `w` seconds.', 256),
  RateLimit: headerField('The remaining requests (`r`), and the seconds until the quota resets (`t`).', 256),
}
/** Length of an oid in quotes. */
const ENTITY_TAG_CHARACTERS = 42
/** Data of the resources that have an entity tag. */
const TAGGED: readonly TSchema[] = [fileData, fileTextData, pageData, versionData, collectionData, recordData]

const ENTITY_TAG = headerField('Send it as `If-Match`.', ENTITY_TAG_CHARACTERS)
const LOCATION = headerField('The URL of what was created.', 9 * MAX_TREE_PATH_CHARACTERS)

/** Header fields of a refusal, by status. */
const REFUSAL_FIELDS: Readonly<Record<number, Json>> = {
  401: {
    'WWW-Authenticate': headerField(
      '`Bearer`, and in `resource_metadata` the URL that says where agents get a token.',
      512,
    ),
  },
  403: {
    'WWW-Authenticate': headerField(
      '`Bearer error="insufficient_scope"`, and in `scope` what an agent may ask for.',
      512,
    ),
  },
  405: { Allow: headerField('The allowed methods.', 64) },
  409: { 'Retry-After': headerField('Seconds to wait, with `idempotency_in_progress` and `too_many_imports`.', 16) },
  412: { ETag: headerField('The current entity tag.', ENTITY_TAG_CHARACTERS) },
  429: { 'Retry-After': headerField('Seconds until the limit allows a request again.', 16) },
  503: { 'Retry-After': headerField('Seconds to wait before another try.', 16) },
}

export function successesOf(route: Route | OpenRoute, components: Components): Json {
  if (route.content) return contentAnswers()
  const content = { 'application/json': { schema: envelopeOf(route, components) } }
  const isTagged = !route.list && TAGGED.includes(route.data)
  const headers = { ...ALWAYS, ...(isTagged && { ETag: ENTITY_TAG }) }
  // A session has no URL.
  const createdFields = { ...headers, ...(route.caller === 'key' && { Location: LOCATION }) }
  return {
    200: { description: 'Done.', headers, content },
    ...(route.creates && { 201: { description: 'Created.', headers: createdFields, content } }),
    ...(route.accepts && {
      202: { description: 'The work has begun.', headers: { ...headers, Location: LOCATION }, content },
    }),
    ...(isTagged &&
      route.method === 'get' && { 304: { description: 'Not modified: the entity tag in If-None-Match is current.' } }),
  }
}

/** Describes the bytes of a file, with conditions and ranges (RFC 9110 §13 and §14). */
function contentAnswers(): Json {
  const headers = {
    ...ALWAYS,
    ETag: headerField("The id of the file's bytes.", ENTITY_TAG_CHARACTERS),
  }
  const content = { '*/*': { schema: { type: 'string', format: 'binary' } } }
  return {
    200: { description: 'The bytes.', headers, content },
    206: { description: 'The bytes of the range.', headers, content },
    304: { description: 'Not modified: the entity tag in If-None-Match is current.' },
    416: { description: 'The file ends before the range.' },
  }
}

export function failuresOf(route: Route | OpenRoute, components: Components): Json {
  const codes = [...new Set<ErrorCode>([...ALWAYS_POSSIBLE, ...impliedBy(route), ...route.errors])].toSorted()
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))].toSorted((a, b) => a - b)
  const content = { 'application/json': { schema: refer(errorBody, components) } }
  return Object.fromEntries(
    statuses.map((status) => {
      const names = codes.filter((code) => ERROR_STATUS[code] === status)
      const description = `One of: ${names.map((name) => `\`${name}\``).join(', ')}.`
      return [status, { description, headers: { ...ALWAYS, ...REFUSAL_FIELDS[status] }, content }]
    }),
  )
}

function impliedBy(route: Route | OpenRoute): ErrorCode[] {
  return [
    ...(route.caller === 'key' ? impliedForKeys(route) : impliedForBrowsers(route)),
    ...(route.body || route.bytes ? OF_BODIES : []),
    ...(route.content ? (['precondition_failed'] as const) : []),
    ...(route.params ? (['invalid_id'] as const) : []),
    ...(route.ifMatch || route.ifNoneMatch ? (['precondition_failed'] as const) : []),
    ...(route.list ? (['invalid_cursor'] as const) : []),
  ]
}

function impliedForKeys(route: Route): ErrorCode[] {
  const { scope, method } = route
  return [
    ...OF_KEYS,
    ...(scope === 'read' ? [] : OF_WRITES),
    ...(method === 'post' ? OF_POSTS : []),
    ...(takesRequest(route) ? OF_REQUESTS : []),
    ...(takesRequest(route) && scope === 'write' ? OF_WRITES_TO_REQUESTS : []),
  ]
}

function impliedForBrowsers({ caller, limit, needsSession }: OpenRoute): ErrorCode[] {
  return [
    ...(caller === 'browser' ? OF_BROWSERS : []),
    ...(limit === undefined ? [] : OF_LIMITS),
    ...(needsSession ? OF_SESSIONS : []),
  ]
}

function envelopeOf(route: Route | OpenRoute, components: Components): Json {
  const data = refer(route.data, components)
  return {
    type: 'object',
    required: ['success', 'data', ...(route.list ? ['paging'] : [])],
    additionalProperties: false,
    properties: {
      success: { type: 'boolean', const: true },
      data: route.list ? { type: 'array', items: data, maxItems: MAX_LIST_ENTRIES } : data,
      ...(route.list && { paging: PAGING }),
      ...(takesRequest(route) && 'scope' in route && route.scope === 'write' && { changeRequest: WRITTEN_TO }),
    },
  }
}

const WRITTEN_TO = {
  type: 'string',
  format: 'uuid',
  maxLength: 36,
  description: 'The change request that was written to.',
}

const PAGING = {
  type: 'object',
  required: ['nextCursor'],
  additionalProperties: false,
  properties: {
    nextCursor: { type: ['string', 'null'], maxLength: MAX_CURSOR_CHARACTERS, description: 'Null on the last part.' },
  },
}

function headerField(description: string, maxLength: number): Json {
  return { description, schema: { type: 'string', maxLength } }
}
