// The one listening port: starts the service behind it, and stops it so that nothing accepted is lost.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Logger } from 'pino'
import { type Address, addressFor, type Config } from './config.js'
import type { Clock, MakeId } from './model/clock.js'
import { createService, type Service } from './service.js'

/** How long requests under way may take once the service stops. */
const STOP_GRACE_MS = 8000
const IDLE_SWEEP_MS = 50

/** A path of 2,048 characters may take 24 KiB once it is percent-encoded. */
const MAX_HEADER_BYTES = 64 * 1024

export interface RunningServer {
  port: number
  address: Address
  service: Service
  /** Finishes requests under way and queued writes, then closes everything. Safe to call twice. */
  stop(): Promise<void>
}

export interface ServerParts {
  logger: Logger
  clock: Clock
  newId: MakeId
}

/** Listens, then opens the data directory: the port may be what the URLs are made from. */
export async function startServer(config: Config, parts: ServerParts): Promise<RunningServer> {
  const server = createServer({
    connectionsCheckingInterval: 1000,
    keepAliveTimeout: 5000,
    maxHeaderSize: MAX_HEADER_BYTES,
  })
  server.headersTimeout = 10_000
  server.requestTimeout = 120_000
  server.on('clientError', refuseMalformed)
  server.on('request', answerStarting)
  try {
    await listen(server, config)
    const { port } = server.address() as AddressInfo
    const address = addressFor(config, port)
    const service = await createService(config, address, parts)
    server.off('request', answerStarting)
    server.on('request', service.handle)
    let stopped: Promise<void> | undefined
    return { port, address, service, stop: () => (stopped ??= stop(server, service)) }
  } catch (error) {
    server.close()
    throw error
  }
}

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function stop(server: Server, service: Service): Promise<void> {
  service.refuseNew()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // Connections that a client keeps alive go as they fall idle; what is still open after the grace is cut.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS)
  const cut = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
  await service.close()
}

function answerStarting(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '1' }).end('Starting.\n')
}

/** What cannot be parsed as HTTP gets the shortest answer and the connection's end. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
