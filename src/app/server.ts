// The one listening port: starts the service behind it, and stops it so that nothing accepted is lost.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { Address } from '../config/address.js'
import { addressFor, type Config } from '../config/config.js'
import { closeHttpServer, createHttpServer } from '../http/http-server.js'
import type { Clock, MakeId } from '../model/clock.js'
import { createService, type Service } from './service.js'
import { WorkerPool } from '../workers/worker-pool.js'

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
  const server = createHttpServer(config.http, config.trustedProxies)
  server.on('request', answerStarting)
  try {
    await listen(server, config)
    const { port } = server.address() as AddressInfo
    const address = addressFor(config, port)
    const pool = config.workers > 1 ? new WorkerPool(parts.logger) : undefined
    const service = await createService(config, address, {
      ...parts,
      ...(pool && { onMoved: ({ slug }) => pool.announce(slug) }),
    })
    server.off('request', answerStarting)
    server.on('request', service.handle)
    const { handle, onFinding } = service
    await pool?.start({ config, address, server, handle, onFinding }).catch(async (error: unknown) => {
      await service.close()
      throw error
    })
    let stopped: Promise<void> | undefined
    return { port, address, service, stop: () => (stopped ??= stop(server, service, pool)) }
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

async function stop(server: Server, service: Service, pool: WorkerPool | undefined): Promise<void> {
  service.refuseNew()
  await Promise.all([closeHttpServer(server), pool?.stop()])
  await service.close()
}

function answerStarting(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '1' }).end('Starting.\n')
}
