// Reads a request's body within a limit: counted while it streams, never held whole beyond it.

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../../model/errors.js'
import type { Limits } from '../../model/limits.js'
import { parseJson } from './parse-json.js'
import type { RouteBody } from '../routes/route.js'

/** Names, punctuation and short fields beside the one long value. */
const ROOM_FOR_THE_REST = 64 * 1024

export type Body = { kind: 'json'; value: unknown } | { kind: 'html'; bytes: Buffer }

/** The body as JSON, or as HTML where that is taken. Throws `unsupported_media_type`, `payload_too_large`, then 400s. */
export async function readBody(
  request: IncomingMessage,
  { html: takesHtml, holdsPages }: Pick<RouteBody, 'html' | 'holdsPages'>,
  limits: Limits,
): Promise<Body> {
  const kind = mediaKind(request, takesHtml)
  const limit = kind === 'html' ? limits.maxHtmlBytes : jsonLimit(holdsPages, limits)
  const bytes = await readBytes(request, limit)
  if (!isUtf8(bytes)) throw new ServiceError('invalid_body', 'The body is not valid UTF-8.')
  if (kind === 'json') return { kind, value: parseJson(bytes.toString('utf8'), limits) }
  if (bytes.length === 0) throw new ServiceError('invalid_body', 'The body is empty: send the HTML of the page.')
  return { kind, bytes }
}

/** Only pages may be as long as a body can be; JSON escapes make any text up to three times as long. */
function jsonLimit(holdsPages: boolean, { maxBodyBytes, maxRecordBytes }: Limits): number {
  return holdsPages ? maxBodyBytes : Math.min(maxBodyBytes, 3 * maxRecordBytes + ROOM_FOR_THE_REST)
}

/** RFC 9110 §8.3 and §8.4. A PUT without a media type is HTML where that is taken: `curl -T page.html` sends none. */
function mediaKind(request: IncomingMessage, takesHtml: boolean): Body['kind'] {
  const coding = request.headers['content-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new ServiceError('unsupported_media_type', 'Send the body without Content-Encoding.')
  }
  const field = request.headers['content-type']
  if (field === undefined && takesHtml && request.method === 'PUT') return 'html'
  const [, type = '', parameters = ''] = /^\s*([^;\s]*)\s*(?:;(.*))?$/s.exec(field ?? '') ?? []
  const charset = /(?:^|;)\s*charset\s*=\s*"?([^\s";]+)/i.exec(parameters)?.[1]
  const isUnicode = charset === undefined || /^utf-?8$/i.test(charset)
  if (isUnicode && /^application\/json$/i.test(type)) return 'json'
  if (isUnicode && takesHtml && /^text\/html$/i.test(type)) return 'html'
  const taken = takesHtml ? 'application/json or text/html' : 'application/json'
  throw new ServiceError('unsupported_media_type', `Send Content-Type: ${taken}, as UTF-8.`)
}

function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = () =>
    new ServiceError('payload_too_large', `The body is larger than ${limit} bytes.`, { maximum: limit })
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge())
  return new Promise((resolve, reject) => {
    if (request.destroyed) {
      reject(cutShort())
      return
    }
    const chunks: Buffer[] = []
    let size = 0
    const settle = (finish: () => void) => {
      request.off('data', take).off('end', end).off('error', fail).off('close', fail)
      finish()
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= limit) return
      // What still comes is left on the wire: `limitUnread` sees to it once the refusal is sent.
      request.pause()
      settle(() => reject(tooLarge()))
    }
    const end = () => settle(() => resolve(Buffer.concat(chunks, size)))
    const fail = () => settle(() => reject(cutShort()))
    request.on('data', take).on('end', end).on('error', fail).on('close', fail)
  })
}

function cutShort(): ServiceError {
  return new ServiceError('invalid_body', 'The body ended before it was whole.')
}
