// The server for requests that other nodes pass on: it trusts what they say of the client, who holds a connection
// to one of them, and leaves the limits of time and size to them.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Handler, listen, MAX_FIELDS, MAX_HEADER_BYTES, soundRequests } from '../http/server/http-server.js'
import { restoreClientAddress } from './inner-fields.js'

/** Room for the fields and the framing that the other node adds: five at most. */
const ADDED_HEADER_BYTES = 1024
const ADDED_FIELDS = 8

export interface InnerServerParts {
  at: { host: string; port: number }
  handle: Handler
  /** Answers what is not to be handled, and says so. */
  answersItself?: (request: IncomingMessage, response: ServerResponse) => boolean
}

/** Resolves once it listens. Rejects with the system's error. */
export async function openInnerServer({ at, handle, answersItself = () => false }: InnerServerParts): Promise<Server> {
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    restoreClientAddress(request)
    handle(request, response)
  }
  const server = createServer({
    keepAliveTimeout: 0,
    requestTimeout: 0,
    headersTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES + ADDED_HEADER_BYTES,
  })
  const sound = (answer: Handler) => soundRequests(server, MAX_FIELDS + ADDED_FIELDS, answer)
  server.on(
    'request',
    sound((request, response) => answersItself(request, response) || begin(request, response)),
  )
  server.on(
    'checkContinue',
    sound((request, response) => {
      if (answersItself(request, response)) return
      askForBody(request, response)
      begin(request, response)
    }),
  )
  await listen(server, at)
  return server
}

/** Asks for the body (RFC 9110 §10.1.1) once it is read. What is read after the answer has begun is only dropped. */
function askForBody(request: IncomingMessage, response: ServerResponse): void {
  const read = request._read.bind(request)
  request._read = (size) => {
    request._read = read
    if (!response.headersSent) response.writeContinue()
    read(size)
  }
}
