// The endpoint of the audit log.

import { auditData, auditQuery } from '../../../../schemas/audit.js'
import { listAudit } from '../../../usecases/people/audit-log.js'
import { route } from './route.js'

export const auditRoutes = [
  route({
    method: 'get',
    path: '/audit',
    operationId: 'listAudit',
    tag: 'People',
    summary: 'Read the audit log',
    description:
      'The newest entries first: sign-ins, and changes of keys, people, sites and settings. Pages have their own history.',
    scope: 'admin',
    query: auditQuery,
    data: auditData,
    list: true,
    run: listAudit,
  }),
]
