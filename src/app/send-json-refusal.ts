// A refusal of the API by a process that did not get as far as the API.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { ERROR_STATUS } from '../api/routes/error-status.js'
import type { ServiceError } from '../model/errors.js'

const RETRY_SECONDS = '1'

export function sendJsonRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { code, message }: ServiceError,
  requestId: string,
): void {
  const body = JSON.stringify({ success: false, error: { code, message, requestId } })
  response.writeHead(ERROR_STATUS[code], {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    'Retry-After': RETRY_SECONDS,
    // The rest of the body is not read, so the connection serves no further request (RFC 9112 §9.6).
    ...(!request.complete && { Connection: 'close' }),
  })
  response.end(body)
}
