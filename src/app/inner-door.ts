// The door for other nodes, at NODE_ADDRESS: who knows the secret may have requests of its clients carried out here.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { InvalidConfiguration } from '../config/config.js'
import type { InnerAddress } from '../config/inner-address.js'
import { openInnerServer } from '../forwarding/inner-server.js'
import type { RequestHandler } from '../host/door.js'
import { closeHttpServer } from '../http/server/http-server.js'
import { isOfPeer } from '../nodes/peers.js'

const LEAST_SECRET_BYTES = 32
/** Another node may have found this one ready just before it began to stop. */
const LATE_MS = 250

export interface InnerDoor {
  /** Says to the other nodes that it takes nothing more; resolves once what they sent is answered. */
  close(): Promise<void>
}

export interface InnerDoorParts {
  inner: InnerAddress
  secret: string
  handle: RequestHandler
}

/** What nodes send one another, made of the file. Throws InvalidConfiguration where it cannot be read, or is short. */
export function readNodeSecret(file: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new InvalidConfiguration([`NODE_SECRET_FILE (${file}) cannot be read: ${(error as Error).message}`])
  }
  if (bytes.length >= LEAST_SECRET_BYTES) return createHash('sha256').update(bytes).digest('base64url')
  throw new InvalidConfiguration([
    `NODE_SECRET_FILE (${file}) must hold at least ${LEAST_SECRET_BYTES} random bytes, and has ${bytes.length}: head -c ${LEAST_SECRET_BYTES} /dev/urandom > ${file}`,
  ])
}

/** Throws InvalidConfiguration where it cannot listen there. */
export async function openInnerDoor({ inner, secret, handle }: InnerDoorParts): Promise<InnerDoor> {
  let isOpen = true
  const answersItself = (request: IncomingMessage, response: ServerResponse) => {
    const isPeer = isOfPeer(request, secret)
    if (isPeer && request.method !== 'OPTIONS') return false
    response.writeHead(isPeer ? (isOpen ? 204 : 503) : 403, isPeer ? {} : { Connection: 'close' }).end()
    return true
  }
  const { host, port } = inner
  const at = { host, port }
  const server = await openInnerServer({ at, handle, answersItself }).catch((error: unknown) => {
    throw new InvalidConfiguration([`NODE_ADDRESS (${inner.address}) cannot be used: ${(error as Error).message}`])
  })
  return {
    async close() {
      isOpen = false
      await pause(LATE_MS)
      await closeHttpServer(server)
    },
  }
}
