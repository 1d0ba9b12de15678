// Serves a port: accepts connections, lets requests wait until the role is open, and stops without losing an accepted request.

import type { Address } from '../../config/address.js'
import { addressFor, type Config } from '../../config/config.js'
import { closeHttpServer, createHttpServer, type Handler, listen } from '../../http/server/http-server.js'
import { RequestTurns } from '../../http/server/request-turns.js'
import { inNetworks } from '../../model/hosts/networks.js'

/** The handler behind a port, and how it stops. */
export interface Role {
  handle: Handler
  /** Called once the process begins to stop; requests that still come are answered. */
  refuseNew?: () => void
  /** Called once all requests are answered. */
  close(): Promise<void>
}

export interface RunningRole {
  port: number
  address: Address
  /** Finishes requests under way, then closes everything. Safe to call twice. */
  stop: () => Promise<void>
}

/** Binds the port first: URLs may be made from it. Rejects with the system's error, and with that of `open`. */
export async function servePort<R extends Role>(
  config: Config,
  open: (address: Address) => R | Promise<R>,
): Promise<RunningRole & { role: R }> {
  let begin: (role: R) => void = () => undefined
  const opened = new Promise<R>((resolve) => (begin = resolve))
  let handle: Handler = (request, response) =>
    opened.then((role) => response.destroyed || role.handle(request, response))
  const turns = new RequestTurns(inNetworks(config.trustedProxies))
  const server = createHttpServer(config.http, config.trustedProxies, (request, response) =>
    turns.begin(request, () => response.destroyed || handle(request, response)),
  )
  const port = await listen(server, config)
  const address = addressFor(config, port)
  try {
    const role = await open(address)
    handle = role.handle
    begin(role)
    let stopped: Promise<void> | undefined
    const stop = async () => {
      role.refuseNew?.()
      await closeHttpServer(server)
      await role.close()
    }
    return { port, address, role, stop: () => (stopped ??= stop()) }
  } catch (error) {
    server.close()
    server.closeAllConnections()
    throw error
  }
}
