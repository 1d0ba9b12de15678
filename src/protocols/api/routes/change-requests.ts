// The endpoints of change requests.

import { closed, idParams, uuid } from '../../../../schemas/common.js'
import {
  changeRequestBody,
  changeRequestData,
  createRequestBody,
  listAllRequestsQuery,
  listRequestsQuery,
  requestCountData,
} from '../../../../schemas/change-requests.js'
import { Type } from 'typebox'
import { changeRequest, createRequest, getRequest, listRequests } from '../../../usecases/requests/requests.js'
import { listScheduled } from '../../../usecases/requests/schedule/list-scheduled.js'
import { countWaiting, listRequestsOfWorkspace } from '../../../usecases/reviews/requests-of-workspace.js'
import { route } from './route.js'

const site = idParams('site')
const request = Type.Object({ id: uuid('The id of the change request.') }, closed)

export const changeRequestRoutes = [
  route({
    method: 'get',
    path: '/change-requests',
    operationId: 'listAllChangeRequests',
    tag: 'Change requests',
    summary: 'List the change requests of all sites',
    description:
      'The newest first: all to those who may write, and to others their own. Those of a site that cannot be read now are left out.',
    query: listAllRequestsQuery,
    data: changeRequestData,
    list: true,
    run: listRequestsOfWorkspace,
  }),
  route({
    method: 'get',
    path: '/change-request-count',
    operationId: 'countChangeRequests',
    tag: 'Change requests',
    summary: 'Count the change requests that wait for you',
    data: requestCountData,
    run: countWaiting,
  }),
  route({
    method: 'get',
    path: '/sites/{id}/change-requests',
    operationId: 'listChangeRequests',
    tag: 'Change requests',
    summary: 'List change requests',
    description:
      'The newest first: all of the site to those who may write to it, and to others their own. With `scheduled`, those that are published later, by time.',
    params: site,
    query: listRequestsQuery,
    data: changeRequestData,
    list: true,
    run: (call, input) => (input.scheduled === true ? listScheduled(call, input) : listRequests(call, input)),
  }),
  route({
    method: 'post',
    path: '/sites/{id}/change-requests',
    operationId: 'createChangeRequest',
    tag: 'Change requests',
    summary: 'Make a change request',
    description:
      'Changes that are not live yet. Every endpoint that writes takes its id as `changeRequest`; `new` there makes one too.',
    scope: 'propose',
    byPaths: true,
    params: site,
    json: createRequestBody,
    data: changeRequestData,
    creates: true,
    errors: ['too_many_change_requests'],
    run: createRequest,
  }),
  route({
    method: 'get',
    path: '/change-requests/{id}',
    operationId: 'getChangeRequest',
    tag: 'Change requests',
    summary: 'Read a change request',
    params: request,
    data: changeRequestData,
    errors: ['change_request_not_found'],
    run: getRequest,
  }),
  route({
    method: 'patch',
    path: '/change-requests/{id}',
    operationId: 'changeChangeRequest',
    tag: 'Change requests',
    summary: 'Rename a change request, close it, or open it again',
    description:
      '`review` says that it is ready to be looked at. A closed one is kept for 90 days. One that nobody writes to for 90 days is closed.',
    scope: 'propose',
    byPaths: true,
    params: request,
    json: changeRequestBody,
    data: changeRequestData,
    errors: ['change_request_not_found', 'conflict', 'too_many_change_requests'],
    run: changeRequest,
  }),
]
