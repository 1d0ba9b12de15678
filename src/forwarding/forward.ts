// Passes a request on to another node, and streams the answer back. A connection that
// breaks on one side is broken on the other.

import { type Agent, type ClientRequest, type IncomingMessage, request as ask, type ServerResponse } from 'node:http'
import { dropUnread, refuseAndClose } from '../http/server/http-server.js'
import { CLIENT_ADDRESS, NODE_SECRET } from './inner-fields.js'

/**
 * Fields that are never copied: those of a single connection (RFC 9110 §7.6.1), the framing of the body, which is written from what was
 * parsed, `Expect`, which this node answers, and our own. A field that the client names in `Connection` is copied all the same: both
 * nodes are one recipient, and decide by the same fields.
 */
const CONNECTION_FIELDS = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  CLIENT_ADDRESS.toLowerCase(),
  NODE_SECRET.toLowerCase(),
])

/** A longer body, or one of unknown length, stays with its client until it is asked for: one that is refused never travels. */
const MAX_UNASKED_BYTES = 64 * 1024

export interface Destination {
  at: { host: string; port: number }
  agent: Agent
  /** Names and values, sent beside the client's. */
  fields?: readonly string[]
  /** Answers a request for which no answer came. `isUnsent`: the destination cannot have carried it out. */
  onLost: (request: IncomingMessage, response: ServerResponse, isUnsent: boolean) => void
}

/** Does not throw. Undefined where the request cannot be sent on, and where nobody waits for it: it is answered then. */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { at, agent, fields = [], onLost }: Destination,
): ClientRequest | undefined {
  const { method, url: path } = request
  const waits = isLong(request)
  let isSent = !waits
  let upstream: ClientRequest
  try {
    upstream = ask({ ...at, agent, method, path, headers: [...requestFields(request, waits), ...fields] })
  } catch {
    // Node's parser accepts some fields that its writer refuses.
    refuseAndClose(request, response, 400, 'A header field of the request has characters that no field may have.\n')
    return undefined
  }
  upstream.on('response', (answer) => {
    // The other node waits for the rest of a body that it has answered: its connection carries no further request.
    answer.once('end', () => upstream.writableEnded || upstream.destroy())
    if (response.destroyed) upstream.destroy()
    else passBack(answer, request, response)
  })
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    if (response.headersSent || response.destroyed) request.socket.destroy()
    else onLost(request, response, !isSent || error.syscall === 'connect')
  })
  upstream.once('close', () => request.unpipe(upstream))
  if (!waits) passShortBody(request, upstream)
  else
    upstream
      .once('continue', () => {
        isSent = true
        request.pipe(upstream)
      })
      .flushHeaders()
  return upstream
}

function isLong({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_UNASKED_BYTES
}

/** The client's fields as it wrote them, and the framing of its body as it was parsed. */
function requestFields({ rawHeaders, headers, socket, method }: IncomingMessage, waits: boolean): string[] {
  const fields = withoutConnectionFields(rawHeaders)
  const length = headers['content-length'] ?? (method === 'GET' || method === 'HEAD' ? undefined : '0')
  if (headers['transfer-encoding'] !== undefined) fields.push('Transfer-Encoding', 'chunked')
  else if (length !== undefined) fields.push('Content-Length', length)
  if (waits) fields.push('Expect', '100-continue')
  fields.push(CLIENT_ADDRESS, socket.remoteAddress ?? '')
  return fields
}

function withoutConnectionFields(rawHeaders: readonly string[]): string[] {
  const fields: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]]
    if (!CONNECTION_FIELDS.has(name.toLowerCase())) fields.push(name, value)
  }
  return fields
}

function passShortBody(request: IncomingMessage, upstream: ClientRequest): void {
  if (Number(request.headers['content-length'] ?? 0) === 0) return void upstream.end()
  // The header section waits for a body that has come with it, and for no other.
  const flush = setImmediate(() => upstream.flushHeaders())
  const begun = () => clearImmediate(flush)
  request.once('data', begun).once('end', begun).pipe(upstream)
}

function passBack(answer: IncomingMessage, request: IncomingMessage, response: ServerResponse): void {
  // The rest of a refused body is not read, so the connection serves no further request (RFC 9112 §9.6).
  const isRefused = !request.complete
  const fields = withoutConnectionFields(answer.rawHeaders)
  const { 'content-length': length } = answer.headers
  if (length !== undefined) fields.push('Content-Length', length)
  if (isRefused || answer.headers.connection === 'close') fields.push('Connection', 'close')
  response.writeHead(answer.statusCode ?? 500, answer.statusMessage, fields)
  // An answer without a length may be a long stream: its header section does not wait for the first bytes.
  if (answer.headers['transfer-encoding'] !== undefined) response.flushHeaders()
  answer.once('error', () => response.destroy())
  answer.pipe(response, { end: !isRefused })
  answer.once('end', () => {
    // The client has the whole answer before its connection is closed.
    const close = () => response.end()
    if (isRefused && request.complete) close()
    else if (isRefused) dropUnread(request.once('end', close), close)
  })
}
