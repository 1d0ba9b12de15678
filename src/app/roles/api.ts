// The role `api`: the whole service in one process on one port.

import type { Config } from '../../config/config.js'
import type { ServiceParts } from '../open-services.js'
import { createService, type Service } from '../service.js'
import { type RunningRole, servePort } from './serve-port.js'

export interface RunningApi extends RunningRole {
  service: Service
}

/** Throws DataDirInUse if another process has this role, and CatalogUnusable. */
export async function startApi(config: Config, parts: ServiceParts): Promise<RunningApi> {
  const { port, address, role, stop } = await servePort(config, (found) => createService(config, found, parts))
  return { port, address, service: role, stop }
}
