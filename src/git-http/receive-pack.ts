// Receives a push.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Site } from '../catalog/sites.js'
import { ServiceError } from '../model/errors.js'
import type { Principal } from '../model/principal.js'
import type { Services } from '../usecases/context/services.js'

/** A push by a caller who may write to the site; its body is not read yet (see `bodyOf`). */
export interface Push {
  services: Services
  site: Site
  principal: Principal
  version: 0 | 1
  requestId: string
  request: IncomingMessage
  response: ServerResponse
}

/** Throws ServiceError as long as nothing is answered. */
export async function receivePack(_push: Push): Promise<void> {
  throw new ServiceError('insufficient_scope', 'Pushes are not accepted over HTTP yet: push on the server, by path.')
}
