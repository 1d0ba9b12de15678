// Hands a request on to the primary process and its answer back, both as they stream: nothing is kept, and what breaks on
// one side breaks on the other.

import { Agent, type ClientRequest, type IncomingMessage, request as ask, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { CLIENT_ADDRESS } from './client-address.js'

/** About one connection alone (RFC 9110 §7.6.1), or answered by the worker (`Expect`): the other connection has its own. */
const OWN_FIELDS = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  CLIENT_ADDRESS.toLowerCase(),
])

/** The handler of what is for the primary, which listens at `socketPath`. It does not throw. */
export function forwardTo(socketPath: string): (request: IncomingMessage, response: ServerResponse) => void {
  const agent = new Agent({ keepAlive: true })
  return (request, response) => {
    const { method, url: path } = request
    let upstream: ClientRequest
    try {
      upstream = ask({ socketPath, agent, method, path, headers: requestFields(request) })
    } catch {
      // What the parser lets in and the writer does not let out.
      request.socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      return
    }
    upstream.on('response', (answer) => passBack(answer, response))
    upstream.on('error', (error) => breakOff(request, response, error))
    response.once('close', () => response.writableFinished || upstream.destroy())
    passBody(request, upstream)
  }
}

/** The client's own fields, as they were written, and the framing of its body. */
function requestFields({ rawHeaders, headers, socket, method }: IncomingMessage): string[] {
  const fields = withoutOwn(rawHeaders)
  if (headers['transfer-encoding'] !== undefined) fields.push('Transfer-Encoding', 'chunked')
  else if (headers['content-length'] === undefined && method !== 'GET' && method !== 'HEAD') {
    fields.push('Content-Length', '0')
  }
  fields.push(CLIENT_ADDRESS, socket.remoteAddress ?? '')
  return fields
}

function withoutOwn(rawHeaders: readonly string[]): string[] {
  const fields: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]]
    if (!OWN_FIELDS.has(name.toLowerCase())) fields.push(name, value)
  }
  return fields
}

function passBody(request: IncomingMessage, upstream: ClientRequest): void {
  // The primary may refuse by the header alone: it does not wait for the body to begin.
  if (!request.complete) upstream.flushHeaders()
  request.pipe(upstream)
  // A primary that refuses reads a body no further, and then lets go: nothing more is taken from the client either.
  upstream.once('close', () => {
    request.unpipe(upstream)
    if (!request.complete) request.socket.destroySoon()
  })
}

function passBack(answer: IncomingMessage, response: ServerResponse): void {
  const fields = withoutOwn(answer.rawHeaders)
  if (answer.headers.connection === 'close') fields.push('Connection', 'close')
  response.writeHead(answer.statusCode ?? 500, answer.statusMessage, fields)
  // An answer without a length may be one that goes on for long: its header does not wait for the first bytes.
  if (answer.headers['content-length'] === undefined) response.flushHeaders()
  pipeline(answer, response, () => undefined)
}

/** Without an answer the connection ends, as it does when the one process ends; a request that never left can come again. */
function breakOff(request: IncomingMessage, response: ServerResponse, error: NodeJS.ErrnoException): void {
  if (response.headersSent || error.syscall !== 'connect') return void request.socket.destroy()
  response.writeHead(503, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Retry-After': '1',
    Connection: 'close',
  })
  response.end('The service is too busy to take this request. Try again in a second.\n')
}
