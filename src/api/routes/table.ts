// Every endpoint of the API: the one list that Koa's routes and the OpenAPI document are made from.

import type { Route } from '../route.js'
import { collectionRoutes } from './collections.js'
import { keyRoutes } from './keys.js'
import { pageRoutes } from './pages.js'
import { siteRoutes } from './sites.js'

export const ROUTES: readonly Route[] = [...pageRoutes, ...collectionRoutes, ...siteRoutes, ...keyRoutes]
