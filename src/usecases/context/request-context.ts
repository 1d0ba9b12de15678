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

export interface RequestContext {
  principal: Principal
  target: Target
  requestId: string
  /** As the client sent it: 1 to 255 visible characters. */
  idempotencyKey?: string
  /** Method and path template, `POST /pages`. */
  route: string
}
