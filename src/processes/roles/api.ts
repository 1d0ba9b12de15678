// The role `api`: the whole service in one process on one port.

import { Admission } from '../../admission/admission.js'
import type { Config } from '../config/config.js'
import type { ServiceParts } from '../open-services.js'
import { createService, type Service } from '../service.js'
import { type RunningRole, servePort } from './serve-port.js'

export interface RunningApi extends RunningRole {
  service: Service
}

/** Throws DataDirInUse if another process has this role, and CatalogUnusable. */
export async function startApi(config: Config, parts: ServiceParts): Promise<RunningApi> {
  const admission = new Admission(config.sizes)
  const { port, address, role, prepare, stop } = await servePort(config, admission.gate('requests'), (found) =>
    createService(config, found, { ...parts, admission }),
  )
  return { port, address, service: role, prepare, stop }
}
