// Sends answers to git's clients. Nothing is cached. Nothing is compressed, since packs already are.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { UnreadAnswers } from '../../admission/unread-answers.js'
import { limitUnread } from '../http/server/http-server.js'
import type { ServiceError } from '../../model/errors.js'

const FIELDS = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' }

export interface GitRefusal {
  refusal: ServiceError
  status: number
  retryAfterSeconds: number
}

export function sendBytes(response: ServerResponse, type: string, bytes: Buffer): void {
  response.writeHead(200, { ...FIELDS, 'Content-Type': type, 'Content-Length': bytes.length }).end(bytes)
}

/** Sends an answer once there is room for it: a long one counts until the client has taken it. Rejects with `service_busy`. */
export async function sendLong(
  answers: UnreadAnswers,
  workspaceId: string,
  response: ServerResponse,
  type: string,
  bytes: Buffer,
): Promise<void> {
  await answers.count(workspaceId, response, bytes.length)
  if (!response.closed) sendBytes(response, type, bytes)
}

/** Sets the fields, which are sent with the first bytes. */
export function setFields(response: ServerResponse, type: string): void {
  for (const [name, value] of Object.entries({ ...FIELDS, 'Content-Type': type })) response.setHeader(name, value)
}

const NO_LFS =
  'There is no Git LFS here: git keeps all files. Run git lfs migrate export --include=<pattern>, and push again.'

/** Tells a client of Git LFS, in the form that it prints (git-lfs, docs/api/batch.md). The same for every site. */
export function sendNoLfs(request: IncomingMessage, response: ServerResponse): void {
  limitUnread(request, response)
  response.writeHead(404, { ...FIELDS, 'Content-Type': 'application/vnd.git-lfs+json' })
  response.end(`${JSON.stringify({ message: NO_LFS })}\n`)
}

/**
 * Sends a refusal as plain text: git shows it as `remote:` lines, and asks for a key only if a 401 names Basic. An answer that has
 * begun is cut off, so that the client knows that something is missing.
 */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { refusal: { code, message, details }, status, retryAfterSeconds }: GitRefusal,
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
    ...((status === 503 || status === 429) && { 'Retry-After': String(retryAfterSeconds) }),
  })
  response.end(`${text}\n`)
}
