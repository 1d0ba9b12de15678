// The html of a page as a request gives it: text or bytes, within the limit, valid UTF-8.

import { isUtf8 } from 'node:buffer'
import { ServiceError } from '../../model/errors.js'
import type { Services } from '../context/services.js'

/** The bytes exactly as they will be served. Throws `payload_too_large` and `invalid_body`. */
export function toHtmlBytes({ limits }: Services, html: string | Uint8Array): Uint8Array {
  const size = typeof html === 'string' ? Buffer.byteLength(html) : html.byteLength
  if (size > limits.maxHtmlBytes) {
    throw new ServiceError(
      'payload_too_large',
      `The html has ${size} bytes of UTF-8: at most ${limits.maxHtmlBytes} are taken.`,
      { limit: limits.maxHtmlBytes },
    )
  }
  if (size === 0) throw invalidHtml('must have at least 1 character')
  if (typeof html !== 'string') {
    if (!isUtf8(html)) throw invalidHtml('must be UTF-8')
    return html
  }
  // Encoded, half a surrogate pair would become another character without a word.
  if (/\p{Surrogate}/u.test(html)) throw invalidHtml('has half of a surrogate pair: send whole characters')
  return Buffer.from(html)
}

function invalidHtml(problem: string): ServiceError {
  return new ServiceError('invalid_body', `The html ${problem}.`, [{ field: '/html', message: problem }])
}
