// The one port: starts the service behind it, in one process or several, and stops it so that nothing accepted is lost.

import type { Logger } from 'pino'
import type { Address } from '../config/address.js'
import { addressFor, type Config } from '../config/config.js'
import { starterPathOf } from '../config/sockets.js'
import { BoundPort } from '../http/server/bound-port.js'
import { closeHttpServer, createHttpServer } from '../http/server/http-server.js'
import { RequestTurns } from '../http/server/request-turns.js'
import { trustIn } from '../http/trusted-proxies.js'
import type { Clock, MakeId } from '../model/clock.js'
import { createService, type Service } from './service.js'
import { startProgramsBy } from '../git/start-program.js'
import { ProgramStarter } from '../programs/program-starter.js'
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

/** Binds the port first: it may be what the URLs are made from. */
export async function startServer(config: Config, parts: ServerParts): Promise<RunningServer> {
  const port = await BoundPort.bind(config)
  const address = addressFor(config, port.number)
  const start = config.workers === 0 ? serveAlone : serveWithWorkers
  try {
    const { service, stop } = await start(config, address, port, parts)
    let stopped: Promise<void> | undefined
    return { port: port.number, address, service, stop: () => (stopped ??= stop()) }
  } catch (error) {
    port.close()
    throw error
  }
}

type Start = (
  config: Config,
  address: Address,
  port: BoundPort,
  parts: ServerParts,
) => Promise<{ service: Service; stop: () => Promise<void> }>

const serveAlone: Start = async (config, address, port, parts) => {
  const service = await createService(config, address, parts)
  const turns = new RequestTurns(trustIn(config.trustedProxies))
  const server = createHttpServer(config.http, config.trustedProxies, (request, response) =>
    turns.begin(request, () => response.destroyed || service.handle(request, response)),
  )
  await port.listen(server).catch((error: unknown) => closeAndThrow(service, error))
  return {
    service,
    async stop() {
      service.refuseNew()
      await closeHttpServer(server)
      await service.close()
    },
  }
}

/** This process accepts no connection: whatever keeps it busy, the workers serve hosted sites. */
const serveWithWorkers: Start = async (config, address, port, parts) => {
  const pool = new WorkerPool(port, config.workers, parts.logger)
  const starter = new ProgramStarter(starterPathOf(config.dataDir))
  const startProgramsHere = startProgramsBy(starter.start)
  const endPrograms = async () => {
    startProgramsHere()
    await starter.close()
  }
  try {
    const service = await createService(config, address, parts)
    const { handle, onFinding, look } = service
    await pool
      .start({ config, address, handle, onFinding, look })
      .catch((error: unknown) => closeAndThrow(service, error))
    return {
      service,
      async stop() {
        service.refuseNew()
        await pool.stop()
        await service.close()
        await endPrograms()
      },
    }
  } catch (error) {
    await pool.stop()
    await endPrograms()
    throw error
  }
}

async function closeAndThrow(service: Service, error: unknown): Promise<never> {
  await service.close()
  throw error
}
