// Ends connections whose client reads its answer, or sends its body, more slowly than a minimum rate. A slow client occupies
// resources that others need.

import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

export interface LeastRate {
  /** 0 allows any rate. */
  minBytesPerSecond: number
  /** Time for which a client may be slower. */
  slowSeconds: number
}

/** Interval of the checks. Nothing is counted between them, so that a request costs nothing more. */
const CHECK_INTERVAL_MS = 1000

/** A transfer that was under way at each check since `since`. */
interface Transfer {
  /** Monotonic milliseconds. */
  since: number
  /** The socket's counter at that time. */
  from: number
}

interface Client {
  request: IncomingMessage | undefined
  sending: Transfer | undefined
  receiving: Transfer | undefined
}

export function endSlowClients(server: Server, rate: LeastRate): void {
  const clients = new Map<Socket, Client>()
  server.on('connection', (socket: Socket) => {
    clients.set(socket, { request: undefined, sending: undefined, receiving: undefined })
    socket.once('close', () => clients.delete(socket))
  })
  server.on('request', (request) => {
    const client = clients.get(request.socket)
    if (client !== undefined) client.request = request
  })
  const check = setInterval(() => {
    const now = performance.now()
    for (const [socket, client] of clients) {
      // All bytes given to the socket count as taken, so a client also gets the time for the part that still waits.
      client.sending = goOn(client.sending, socket.writableLength > 0, socket.bytesWritten, now)
      client.receiving = goOn(client.receiving, isReceiving(client.request), socket.bytesRead, now)
      if (isTooSlow(client.sending, socket.bytesWritten, now, rate)) socket.destroy()
      else if (isTooSlow(client.receiving, socket.bytesRead, now, rate)) refuse(socket)
    }
  }, CHECK_INTERVAL_MS)
  check.unref()
  server.once('close', () => clearInterval(check))
}

function goOn(known: Transfer | undefined, isUnderWay: boolean, from: number, now: number): Transfer | undefined {
  return isUnderWay ? (known ?? { since: now, from }) : undefined
}

/** Whether the service is waiting for more of the body. While the service does not read, the client cannot send. */
function isReceiving(request: IncomingMessage | undefined): boolean {
  return request !== undefined && !request.complete && request.readableFlowing === true
}

function isTooSlow(transfer: Transfer | undefined, counter: number, now: number, rate: LeastRate): boolean {
  if (transfer === undefined || rate.minBytesPerSecond === 0) return false
  const seconds = (now - transfer.since) / 1000
  return seconds > rate.slowSeconds + (counter - transfer.from) / rate.minBytesPerSecond
}

/** Answers 408, or destroys the connection if an answer has begun. */
function refuse(socket: Socket): void {
  if (socket.bytesWritten > 0 || !socket.writable) return void socket.destroy()
  socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
}
