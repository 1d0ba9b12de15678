// Every endpoint that is JSON over schemas. `other-endpoints.ts` has the rest of the base host.

import type { OpenRoute } from './open-route.js'
import type { Route } from './route.js'
import { agentRoutes } from './agents.js'
import { accountRoutes } from './account.js'
import { auditRoutes } from './audit.js'
import { batchRoutes } from './batch.js'
import { changeRequestActRoutes } from './change-request-acts.js'
import { changeRequestLinkRoutes } from './change-request-links.js'
import { changeRequestRoutes } from './change-requests.js'
import { collectionRoutes } from './collections.js'
import { commentRoutes } from './comments.js'
import { commitRoutes } from './commits.js'
import { invitationRoutes } from './invitations.js'
import { keyRoutes } from './keys.js'
import { deployRoutes } from './deploys.js'
import { fileRoutes } from './files.js'
import { mirrorRoutes } from './mirrors.js'
import { moveRoutes } from './moves.js'
import { reviewRoutes } from './reviews.js'
import { pageVersionRoutes } from './page-versions.js'
import { pageRoutes } from './pages.js'
import { peopleRoutes } from './people.js'
import { waysInRoutes } from './ways-in.js'
import { signInRoutes } from './sign-in.js'
import { siteRoutes } from './sites.js'
import { usageRoutes } from './usage.js'

const all = [
  ...pageRoutes,
  ...pageVersionRoutes,
  ...moveRoutes,
  ...fileRoutes,
  ...deployRoutes,
  ...collectionRoutes,
  ...batchRoutes,
  ...changeRequestRoutes,
  ...changeRequestActRoutes,
  ...changeRequestLinkRoutes,
  ...commentRoutes,
  ...siteRoutes,
  ...usageRoutes,
  ...commitRoutes,
  ...mirrorRoutes,
  ...keyRoutes,
  ...peopleRoutes,
  ...agentRoutes,
  ...waysInRoutes,
  ...accountRoutes,
  ...invitationRoutes,
  ...auditRoutes,
  ...signInRoutes,
  ...reviewRoutes,
]

/** All routes: the dispatcher, the OpenAPI document and the client are made from them. */
export const ROUTES: readonly (Route | OpenRoute)[] = all

/** Those that need a key, also the tools'. */
export const KEY_ROUTES: readonly Route[] = ROUTES.filter((route) => route.caller === 'key')

/** One of the routes with its own type: the client's types are made from these. */
export type ApiRoute = (typeof all)[number]
