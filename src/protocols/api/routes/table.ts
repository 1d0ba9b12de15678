// Every endpoint of the API: the one list from which Koa's routes and the OpenAPI document are made.

import type { Route } from './route.js'
import { agentRoutes } from './agents.js'
import { accountRoutes } from './account.js'
import { auditRoutes } from './audit.js'
import { batchRoutes } from './batch.js'
import { collectionRoutes } from './collections.js'
import { commitRoutes } from './commits.js'
import { invitationRoutes } from './invitations.js'
import { keyRoutes } from './keys.js'
import { deployRoutes } from './deploys.js'
import { fileRoutes } from './files.js'
import { mirrorRoutes } from './mirrors.js'
import { pageVersionRoutes } from './page-versions.js'
import { pageRoutes } from './pages.js'
import { peopleRoutes } from './people.js'
import { signInRoutes } from './sign-in.js'
import { siteRoutes } from './sites.js'
import { usageRoutes } from './usage.js'

const all = [
  ...pageRoutes,
  ...pageVersionRoutes,
  ...fileRoutes,
  ...deployRoutes,
  ...collectionRoutes,
  ...batchRoutes,
  ...siteRoutes,
  ...usageRoutes,
  ...commitRoutes,
  ...mirrorRoutes,
  ...keyRoutes,
  ...peopleRoutes,
  ...agentRoutes,
  ...signInRoutes,
  ...accountRoutes,
  ...invitationRoutes,
  ...auditRoutes,
]

export const ROUTES: readonly Route[] = all

/** One of the routes with its own type: the client's types are made from these. */
export type ApiRoute = (typeof all)[number]
