// The endpoints of a workspace's quotas.

import { listQuery } from '../../../../schemas/sites.js'
import { siteUsageData, usageData } from '../../../../schemas/usage.js'
import { getUsage, listSiteUsage } from '../../../usecases/sites/usage.js'
import { route } from './route.js'

export const usageRoutes = [
  route({
    method: 'get',
    path: '/usage',
    operationId: 'getUsage',
    tag: 'Workspaces',
    summary: 'Read what the workspace uses of its quotas',
    description: 'A write that would pass a quota is refused with 403 or, for bytes, 507, and changes nothing.',
    data: usageData,
    run: getUsage,
  }),
  route({
    method: 'get',
    path: '/usage/sites',
    operationId: 'listSiteUsage',
    tag: 'Workspaces',
    summary: 'List what each site uses',
    query: listQuery,
    data: siteUsageData,
    list: true,
    run: listSiteUsage,
  }),
]
