// Serves a port: accepts connections, lets requests wait until the role is open, and stops without losing an accepted request.

import type { IncomingMessage } from 'node:http'
import type { Gate } from '../../admission/gate.js'
import type { Address } from '../config/address.js'
import { addressFor, type Config } from '../config/config.js'
import { countedAddressOf } from '../../protocols/http/counted-address.js'
import { closeHttpServer, createHttpServer, type Handler, listen } from '../../protocols/http/server/http-server.js'
import { clientAddressOf, type IsTrusted } from '../../protocols/http/trusted-proxies.js'
import { inNetworks } from '../../model/hosts/networks.js'

/** The handler behind a port, and how it stops. */
export interface Role {
  handle: Handler
  /** Starts what the first visitor would wait for. */
  prepare(): void
  /** Called once the process begins to stop; requests that still come are answered. */
  refuseNew?: () => void
  /** Called once all requests are answered. */
  close(): Promise<void>
}

export interface RunningRole {
  port: number
  address: Address
  prepare: () => void
  /** Finishes requests under way, then closes everything. Safe to call twice. */
  stop: () => Promise<void>
}

/**
 * Binds the port first: URLs may be made from it. Requests begin in the turns of the gate. Rejects with the system's error, and with that of
 * `open`.
 */
export async function servePort<R extends Role>(
  config: Config,
  gate: Gate,
  open: (address: Address) => R | Promise<R>,
): Promise<RunningRole & { role: R }> {
  let begin: (role: R) => void = () => undefined
  const opened = new Promise<R>((resolve) => (begin = resolve))
  let handle: Handler = (request, response) =>
    opened.then((role) => response.destroyed || role.handle(request, response))
  const isTrusted = inNetworks(config.trustedProxies)
  const server = createHttpServer(config.http, config.trustedProxies, (request, response) =>
    gate.run(
      () => response.destroyed || handle(request, response),
      () => callerOf(request, isTrusted),
    ),
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
    return { port, address, role, prepare: () => role.prepare(), stop: () => (stopped ??= stop()) }
  } catch (error) {
    server.close()
    server.closeAllConnections()
    throw error
  }
}

/** Returns the client's address, and its credential as a text: nobody has looked yet whether it is valid. */
export function callerOf(request: IncomingMessage, isTrusted: IsTrusted): { owner: string; part: string } {
  return {
    owner: countedAddressOf(clientAddressOf(request, isTrusted) ?? ''),
    part: request.headers.authorization ?? request.headers.cookie ?? '',
  }
}
