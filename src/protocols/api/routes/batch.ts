// The endpoints for many changes in one request.

import { batchBody, batchData, editPagesBody, editPagesData } from '../../../../schemas/batch.js'
import { dryRunQuery, mergeQuery } from '../../../../schemas/pages.js'
import { runBatch } from '../../../usecases/batch/batch.js'
import { editPages } from '../../../usecases/batch/edit-pages.js'
import { route } from './route.js'

export const batchRoutes = [
  route({
    method: 'post',
    path: '/batch',
    operationId: 'batch',
    byPaths: true,
    tag: 'Pages',
    summary: 'Change many pages and records in one commit',
    description:
      'Applies all operations or none. A refusal lists every operation at fault, with its index, in `details.errors`. The commit can be reverted as one. With `onConflict=merge`, operations with a stale `ifMatch` are merged; not deletions.',
    scope: 'write',
    query: mergeQuery,
    json: batchBody,
    data: batchData,
    errors: ['batch_refused', 'site_mismatch'],
    run: runBatch,
  }),
  route({
    method: 'post',
    path: '/pages/edit',
    operationId: 'editPages',
    tag: 'Pages',
    summary: 'Edit many pages in one commit',
    description:
      'Makes the same edits on up to 500 pages, by id, path or prefix: on all or on none. A refusal lists the pages at fault in `details.errors`.',
    scope: 'write',
    query: dryRunQuery,
    json: editPagesBody,
    data: editPagesData,
    errors: ['page_not_found', 'edit_not_applicable', 'invalid_path', 'site_mismatch', 'batch_refused'],
    run: editPages,
  }),
]
