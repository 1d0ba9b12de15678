// The endpoints that compare, update, approve and publish change requests.

import { Type } from 'typebox'
import {
  approveRequestBody,
  branchConflict,
  changeDiffData,
  changeDiffQuery,
  listChangesQuery,
  publishedRequestData,
  publishRequestBody,
  requestChangeData,
  updatedRequestData,
  updateRequestBody,
} from '../../../../schemas/change-request-acts.js'
import { changeRequestData } from '../../../../schemas/change-requests.js'
import { closed, uuid } from '../../../../schemas/common.js'
import { approveRequest } from '../../../usecases/requests/approve-request.js'
import { diffChange, listChanges, listConflicting } from '../../../usecases/requests/request-changes.js'
import { cancelSchedule, publishOrSchedule } from '../../../usecases/requests/schedule/set-schedule.js'
import { updateRequest } from '../../../usecases/requests/update-request.js'
import { route } from './route.js'

const request = Type.Object({ id: uuid('The id of the change request.') }, closed)
const tag = 'Change requests'

export const changeRequestActRoutes = [
  route({
    method: 'get',
    path: '/change-requests/{id}/changes',
    operationId: 'listChangesOfRequest',
    tag,
    summary: 'List what a change request changes',
    description:
      'Its files that differ from main as it was when the change request was last brought up to date, by path; metadata comes last.',
    params: request,
    query: listChangesQuery,
    data: requestChangeData,
    list: true,
    errors: ['change_request_not_found', 'conflict'],
    run: listChanges,
  }),
  route({
    method: 'get',
    path: '/change-requests/{id}/changes/diff',
    operationId: 'diffChangeOfRequest',
    tag,
    summary: 'Compare a file of a change request with main',
    params: request,
    query: changeDiffQuery,
    data: changeDiffData,
    errors: ['change_request_not_found', 'conflict', 'file_not_found', 'invalid_path', 'too_costly'],
    run: diffChange,
  }),
  route({
    method: 'get',
    path: '/change-requests/{id}/conflicts',
    operationId: 'listConflictsOfRequest',
    tag,
    summary: 'List where main was changed in the same places',
    description: 'The first 50 paths that bringing it up to date now cannot merge.',
    params: request,
    data: branchConflict,
    list: true,
    errors: ['change_request_not_found', 'conflict', 'too_costly', 'site_busy'],
    run: listConflicting,
  }),
  route({
    method: 'post',
    path: '/change-requests/{id}/update',
    operationId: 'updateChangeRequest',
    byPaths: true,
    tag,
    summary: 'Bring a change request up to date',
    description:
      'Merges main into it, path by path, in one commit, which ends its approvals. Conflicts are data, and then nothing is changed: send `ours` or `theirs` for these paths, or write them and send `ours`.',
    scope: 'propose',
    params: request,
    json: updateRequestBody,
    data: updatedRequestData,
    errors: [
      'change_request_not_found',
      'change_request_closed',
      'conflict',
      'path_conflict',
      'too_costly',
      'site_busy',
    ],
    run: updateRequest,
  }),
  route({
    method: 'post',
    path: '/change-requests/{id}/approvals',
    operationId: 'approveChangeRequest',
    tag,
    summary: 'Approve a change request',
    description: 'Approves this one commit: a newer one cancels it. Only people approve, in a session.',
    scope: 'write',
    params: request,
    json: approveRequestBody,
    data: changeRequestData,
    errors: ['approval_refused', 'change_request_not_found', 'change_request_closed', 'conflict'],
    run: approveRequest,
  }),
  route({
    method: 'post',
    path: '/change-requests/{id}/publish',
    operationId: 'publishChangeRequest',
    byPaths: true,
    tag,
    summary: 'Publish a change request',
    description:
      'Merges it onto main as one commit by the maker of the changes: one undo takes all of it back. Publishing it again gives the same answer. Where main was changed in the same places: 409 with each path. With `at`, all of this is asked now and at that time; what is refused then is held.',
    scope: 'write',
    params: request,
    json: publishRequestBody,
    data: publishedRequestData,
    errors: [
      'approval_required',
      'change_request_not_found',
      'change_request_closed',
      'conflict',
      'merge_conflict',
      'forbidden_role',
      'path_conflict',
      'precondition_failed',
      'too_costly',
      'site_busy',
    ],
    run: publishOrSchedule,
  }),
  route({
    method: 'delete',
    path: '/change-requests/{id}/schedule',
    operationId: 'unscheduleChangeRequest',
    byPaths: true,
    tag,
    summary: 'Take back the time of a change request',
    description: 'It stays open. `at` of publishing sets a time.',
    scope: 'write',
    params: request,
    data: changeRequestData,
    errors: ['change_request_not_found'],
    run: cancelSchedule,
  }),
]
