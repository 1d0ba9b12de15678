// Reads a request's body as JSON or HTML, within the limit that its route sets.

import { parse } from 'content-type'
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../../../model/errors.js'
import { JSON_BOUNDS, type Limits, MAX_RECORD_BYTES, maxBodyBytesOf } from '../../../model/limits.js'
import type { TObject } from 'typebox'
import { longestJson } from './longest-json.js'
import type { Tasks } from '../../../tasks/tasks.js'
import { parseJson } from '../../../texts/parse-json.js'
import type { ByteSource } from '../../../model/bytes.js'
import { type ReceiveBody, type StreamBody, tooLarge } from './receive-body.js'

/** Most white space that a client may put between the values of a body. */
const MAX_SPACE_BYTES = 64 * 1024

/** A task parses longer JSON: parsing a megabyte takes some 10 ms, receiving the parsed value some 2. */
const MAX_SHORT_JSON_BYTES = 1024 * 1024

/** The body that a route takes. */
export interface TakenBody {
  /** Takes `text/html` too, not just JSON. */
  html: boolean
  maxJsonBytes: number
}

export type Body = { kind: 'json'; value: unknown } | { kind: 'html'; bytes: Buffer; isAssumed: boolean }

export interface BodyRules {
  limits: Limits
  /** Parses JSON outside the serving thread. Throws `invalid_json`, `too_costly` and `queue_full`. */
  parseLongJson: (json: Buffer) => Promise<unknown>
}

/** Returns the rules for bodies of one workspace. */
export function bodyRulesOf({ tasks, limits }: { tasks: Tasks; limits: Limits }, workspaceId: string): BodyRules {
  const parseLongJson = (json: Buffer) => tasks.run('parseJson', { json, bounds: JSON_BOUNDS }, { workspaceId })
  return { limits, parseLongJson }
}

/** Reads the body as JSON, or as HTML if the route takes HTML. Throws `unsupported_media_type`, `payload_too_large`, then 400s. */
export async function readBody(
  request: IncomingMessage,
  receive: ReceiveBody,
  { html: takesHtml, maxJsonBytes }: TakenBody,
  { limits, parseLongJson }: BodyRules,
): Promise<Body> {
  const kind = mediaKind(request, takesHtml)
  const limit = kind === 'html' ? limits.maxHtmlBytes : maxJsonBytes
  const bytes = await receive(limit)
  if (!isUtf8(bytes)) throw new ServiceError('invalid_body', 'The body is not valid UTF-8.')
  if (kind === 'json') {
    const isLong = bytes.length > MAX_SHORT_JSON_BYTES
    return { kind, value: isLong ? await parseLongJson(bytes) : parseJson(bytes.toString('utf8'), JSON_BOUNDS) }
  }
  if (bytes.length === 0) throw new ServiceError('invalid_body', 'The body is empty: send the HTML of the page.')
  return { kind, bytes, isAssumed: mediaTypeField(request) === undefined }
}

/** Returns the body as bytes of any type. Throws `unsupported_media_type` for a coding, and 413 before anything is read. */
export function readBytes(request: IncomingMessage, stream: StreamBody, limit: number): ByteSource {
  refuseCoding(request)
  const declared = request.headers['content-length']
  const size = declared === undefined ? undefined : Number(declared)
  if (size !== undefined && size > limit) throw tooLarge(limit)
  return { size, chunks: stream(limit) }
}

/** Refuses JSON that would be too long as a body: for callers that have the value already. Throws `payload_too_large`. */
export function refuseLongJson(value: unknown, { maxJsonBytes }: TakenBody, limits: Limits): void {
  // If the route takes bodies of any length, the message with the value was within the same limit: nothing to count.
  if (maxJsonBytes < maxBodyBytesOf(limits) && Buffer.byteLength(JSON.stringify(value)) > maxJsonBytes)
    throw tooLarge(maxJsonBytes)
}

/** Returns the bound of a body that fits the schema. A free-form value is at most a record, which JSON escapes can triple. */
export function maxJsonBytesOf(schema: TObject, limits: Limits): number {
  return Math.min(maxBodyBytesOf(limits), longestJson(schema, 3 * MAX_RECORD_BYTES) + MAX_SPACE_BYTES)
}

/**
 * Returns the kind of the body by RFC 9110 §8.3 and §8.4. A PUT without a media type is HTML if the route takes HTML: `curl -T page.html`
 * sends none.
 */
function mediaKind(request: IncomingMessage, takesHtml: boolean): Body['kind'] {
  refuseCoding(request)
  const field = mediaTypeField(request)
  if (field === undefined && takesHtml && request.method === 'PUT') return 'html'
  const { type, parameters } = parse(field ?? '')
  const isUtf8Text = /^utf-?8$/i.test(parameters['charset'] ?? 'utf-8')
  if (isUtf8Text && type === 'application/json') return 'json'
  if (isUtf8Text && takesHtml && type === 'text/html') return 'html'
  const taken = takesHtml ? 'application/json or text/html' : 'application/json'
  throw new ServiceError('unsupported_media_type', `Send Content-Type: ${taken}, as UTF-8.`)
}

/** Returns the field; undefined also for an empty one. */
function mediaTypeField(request: IncomingMessage): string | undefined {
  return request.headers['content-type'] || undefined
}

function refuseCoding(request: IncomingMessage): void {
  const coding = request.headers['content-encoding'] || undefined
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new ServiceError(
      'unsupported_media_type',
      `Send the body without Content-Encoding: ${coding} is not accepted.`,
    )
  }
}
