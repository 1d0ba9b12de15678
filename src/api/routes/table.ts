// Every endpoint of the API: the one list that Koa's routes and the OpenAPI document are made from.

import type { Route } from './route.js'
import { batchRoutes } from './batch.js'
import { collectionRoutes } from './collections.js'
import { commitRoutes } from './commits.js'
import { keyRoutes } from './keys.js'
import { deployRoutes } from './deploys.js'
import { fileRoutes } from './files.js'
import { mirrorRoutes } from './mirrors.js'
import { pageVersionRoutes } from './page-versions.js'
import { pageRoutes } from './pages.js'
import { siteRoutes } from './sites.js'

const all = [
  ...pageRoutes,
  ...pageVersionRoutes,
  ...fileRoutes,
  ...deployRoutes,
  ...collectionRoutes,
  ...batchRoutes,
  ...siteRoutes,
  ...commitRoutes,
  ...mirrorRoutes,
  ...keyRoutes,
]

export const ROUTES: readonly Route[] = all

/** Each of them as its types say it: what a client's types are made from. */
export type ApiRoute = (typeof all)[number]
