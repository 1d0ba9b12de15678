// Sends answers of the git door. Nothing is cached. Nothing is compressed, since packs already are.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { limitUnread } from '../http/server/http-server.js'
import type { ServiceError } from '../model/errors.js'

const FIELDS = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' }
const RETRY_SECONDS = '2'

export function sendBytes(response: ServerResponse, type: string, bytes: Buffer): void {
  response.writeHead(200, { ...FIELDS, 'Content-Type': type, 'Content-Length': bytes.length }).end(bytes)
}

/** Sets the fields, which are sent with the first bytes. */
export function setFields(response: ServerResponse, type: string): void {
  for (const [name, value] of Object.entries({ ...FIELDS, 'Content-Type': type })) response.setHeader(name, value)
}

/**
 * Sends a refusal as plain text: git shows it as `remote:` lines, and asks for a key only if a 401 names Basic. An answer that has
 * begun is cut off, so that the client knows that something is missing.
 */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { code, message, details }: ServiceError,
  status: number,
): void {
  if (response.headersSent) return void response.destroy()
  limitUnread(request, response)
  const allowed = (details as { allowed?: string } | undefined)?.allowed
  const text = code === 'unauthenticated' ? 'Send an API key as the password, with any user name.' : message
  response.writeHead(status, {
    ...FIELDS,
    'Content-Type': 'text/plain; charset=utf-8',
    ...(status === 401 && { 'WWW-Authenticate': 'Basic realm="Palimpsest", charset="UTF-8"' }),
    ...(status === 405 && allowed !== undefined && { Allow: allowed }),
    ...(status === 503 && { 'Retry-After': RETRY_SECONDS }),
  })
  response.end(`${text}\n`)
}
