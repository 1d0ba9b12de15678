// The facts about a request that a use case knows: its sender, and the workspace and site that it addresses.

import type { Site } from '../../catalog/sites.js'
import type { Workspace } from '../../catalog/workspaces.js'
import type { Principal, Scope } from '../../model/principal.js'

export interface Target {
  workspace: Workspace
  /** What the principal may do in this workspace; `admin` includes `write`, and every key reads. */
  scopes: readonly Scope[]
  /** The site that the header named; undefined when it named none. */
  site: Site | undefined
}

/**
 * Counts bytes that a request makes of little, such as a page that it edits, with those that its workspace sends: until it is
 * answered. They are `made` where they are in memory already, and may hardly wait. Throws `service_busy` where there is no room
 * for them in time.
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
  hold: HoldBytes
}
