// Where the primary process answers what its workers hand on: a Unix socket in the data directory, which only the owner of
// the folder can connect to.

import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { RequestHandler } from '../host/door.js'
import { MAX_HEADER_BYTES } from '../http/http-server.js'
import { restoreClientAddress } from './client-address.js'

/** The client's address, and what framing adds. */
const ROOM_FOR_THE_REST = 1024

/** Answers how to close it. A socket that is there already was left by a process that is gone: the caller owns the folder. */
export async function openPrimaryDoor(socketPath: string, handle: RequestHandler): Promise<() => void> {
  // Every bound on time is kept by the worker, which knows the client.
  const server = createServer({
    keepAliveTimeout: 0,
    requestTimeout: 0,
    headersTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES + ROOM_FOR_THE_REST,
  })
  server.on('request', (request, response) => {
    restoreClientAddress(request)
    handle(request, response)
  })
  rmSync(socketPath, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socketPath, resolve)
  })
  return () => {
    server.close()
    server.closeAllConnections()
  }
}
