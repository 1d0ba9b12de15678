// The endpoint for many changes in one request.

import { batchBody, batchData } from '../../../schemas/batch.js'
import { dryRunQuery } from '../../../schemas/pages.js'
import { runBatch } from '../../usecases/batch/batch.js'
import { route } from './route.js'

export const batchRoutes = [
  route({
    method: 'post',
    path: '/batch',
    operationId: 'batch',
    tag: 'Pages',
    summary: 'Change many pages and records in one commit',
    description:
      'Applies all operations or none. A refusal lists every operation at fault, with its index, in `details.errors`. The commit can be reverted as one.',
    scope: 'write',
    query: dryRunQuery,
    json: batchBody,
    data: batchData,
    errors: ['batch_refused', 'site_mismatch'],
    run: runBatch,
  }),
]
