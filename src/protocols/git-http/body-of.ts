// Reads the body of a request as git sent it. Git clients compress longer bodies with gzip.

import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ServiceError } from '../../model/errors.js'

/**
 * Returns the body, unpacked. Throws `unsupported_media_type` at once for a coding other than gzip. Reading throws
 * `payload_too_large` above `maxBytes`, packed or unpacked, and `invalid_body` if the body is cut short or not gzip.
 */
export function bodyOf(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer, void> {
  const coding = request.headers['content-encoding'] || 'identity'
  if (!['gzip', 'x-gzip', 'identity'].includes(coding))
    throw new ServiceError('unsupported_media_type', 'Content-Encoding must be gzip or left out.')
  return read(request, coding !== 'identity', maxBytes)
}

async function* read(request: IncomingMessage, isPacked: boolean, maxBytes: number): AsyncGenerator<Buffer, void> {
  // The request stays open: a refusal may still be sent on its connection.
  const parts = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  const source = isPacked ? unpack(parts) : parts
  let bytes = 0
  try {
    for await (const part of source) {
      bytes += part.length
      if (bytes > maxBytes)
        throw new ServiceError('payload_too_large', `The request is larger than ${maxBytes} bytes.`, {
          maximum: maxBytes,
        })
      yield part
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw new ServiceError('invalid_body', 'The request body is incomplete, or is not valid gzip.')
  }
}

/** Unpacks parts. It expands no more than is read. */
function unpack(parts: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const gunzip = createGunzip()
  pipeline(parts, gunzip, () => undefined)
  return gunzip
}
