// Checks the html of a request, text or bytes: within the limit, and valid UTF-8.

import { isUtf8 } from 'node:buffer'
import { ServiceError } from '../../model/errors.js'
import type { Services } from '../context/services.js'

/** Returns the bytes as they will be served. Throws `payload_too_large` and `invalid_body`. */
export function toHtmlBytes({ limits }: Pick<Services, 'limits'>, html: string | Uint8Array): Uint8Array {
  const size = typeof html === 'string' ? Buffer.byteLength(html) : html.byteLength
  if (size > limits.maxHtmlBytes) {
    throw new ServiceError(
      'payload_too_large',
      `The html has ${size} bytes of UTF-8: the limit is ${limits.maxHtmlBytes}. PUT /files and deploys publish a larger page as a file.`,
      { limit: limits.maxHtmlBytes },
    )
  }
  if (size === 0) throw invalidHtml('is empty')
  if (typeof html !== 'string') {
    if (!isUtf8(html)) throw invalidHtml('is not UTF-8')
    return html
  }
  // The encoder would silently replace a lone surrogate by another character.
  if (/\p{Surrogate}/u.test(html)) throw invalidHtml('has a lone surrogate: send complete characters')
  return Buffer.from(html)
}

function invalidHtml(problem: string): ServiceError {
  return new ServiceError('invalid_body', `The html ${problem}.`, [{ field: '/html', message: problem }])
}
