// Joins the nodes that reach one another: this one sends them requests, and takes theirs at its inner address.

import type { Logger } from 'pino'
import type { Config } from '../config/config.js'
import type { RequestHandler } from '../host/door.js'
import { Peers } from '../nodes/peers.js'
import { HomeForwarding } from './forward-home.js'
import { type InnerDoor, openInnerDoor } from './inner-door.js'
import type { OpenServices } from './open-services.js'

export interface JoinedNodes {
  homes: HomeForwarding
  /** From now on this node takes requests of the others. Throws InvalidConfiguration where it cannot listen. */
  open(handle: RequestHandler): Promise<void>
  /** Resolves once the others send nothing more, and what they had sent is answered. */
  leave(): Promise<void>
}

/** Undefined where nodes do not reach one another. */
export function joinNodes(
  { inner }: Config,
  { services, node }: OpenServices,
  secret: string | undefined,
  logger: Logger,
): JoinedNodes | undefined {
  if (inner === undefined || node === undefined || secret === undefined) return undefined
  const peers = new Peers(secret, (address, reason) =>
    logger.warn({ node: address, reason }, 'another node does not answer: what would go there is carried out here'),
  )
  const homes = new HomeForwarding({
    services,
    own: inner.address,
    others: () => node.others(),
    isFit: () => node.isFit(),
    peers,
    logger,
  })
  let door: InnerDoor | undefined
  return {
    homes,
    async open(handle) {
      const takeFromPeer: RequestHandler = (request, response) => {
        homes.noteFromPeer(request)
        return handle(request, response)
      }
      door = await openInnerDoor({ inner, secret, handle: takeFromPeer })
    },
    async leave() {
      await node.leave()
      await door?.close()
      peers.close()
    },
  }
}
