// The facts about a request that a use case knows: its sender, and the workspace and site that it addresses.

import type { Site } from '../../catalog/site.js'
import type { Workspace } from '../../catalog/workspaces.js'
import type { Principal } from '../../model/principal.js'
import type { Scope } from '../../model/rights/scopes.js'

export interface Target {
  workspace: Workspace
  /** The scopes of the principal in this workspace; `admin` includes `write`, and every key reads. */
  scopes: readonly Scope[]
  /** The site that the header named; undefined if it named none. */
  site: Site | undefined
}

/**
 * Reserves memory for data made while handling a request (for example an edited page), until the request is answered. It counts with the
 * bytes that the workspace sends. `made` means the bytes are in memory already, so the call may hardly wait. Throws `service_busy` if no
 * room comes free in time.
 */
export type HoldBytes = (bytes: number, areMade?: 'made') => Promise<void>

export interface RequestContext {
  principal: Principal
  target: Target
  requestId: string
  /** As the client sent it: 1 to 255 visible characters. */
  idempotencyKey?: string
  /** Method and path template, `POST /pages`. */
  route: string
  /** Method and URL as the client sent them: `PUT /api/v1/pages?path=/a`. The operator at the command line has none. */
  sent?: string
  hold: HoldBytes
  /** Authenticates the sender again, as of now. The operator at the command line has none. Throws as for a new request. */
  authenticate?: () => Promise<Principal>
  /** The client: for the audit log alone. The operator at the command line has none. */
  from?: RequestOrigin
}

export interface RequestOrigin {
  /** IP address. */
  address?: string
  /** Browser and system. */
  device?: string
}
