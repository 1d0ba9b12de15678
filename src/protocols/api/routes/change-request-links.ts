// The endpoints of links to change requests.

import { Type } from 'typebox'
import { closed, deletedData, uuid } from '../../../../schemas/common.js'
import { createRequestLinkBody, linkData, newLinkData, requestLinkParams } from '../../../../schemas/links.js'
import { listQuery } from '../../../../schemas/sites.js'
import { createRequestLink, deleteRequestLink, listRequestLinks } from '../../../usecases/sites/request-links.js'
import { route } from './route.js'

const request = Type.Object({ id: uuid('The id of the change request.') }, closed)

export const changeRequestLinkRoutes = [
  route({
    method: 'get',
    path: '/change-requests/{id}/links',
    operationId: 'listChangeRequestLinks',
    tag: 'Change requests',
    summary: 'List the links to a change request',
    description: 'The links that have not ended, without their secrets.',
    params: request,
    query: listQuery,
    data: linkData,
    list: true,
    errors: ['change_request_not_found'],
    run: listRequestLinks,
  }),
  route({
    method: 'post',
    path: '/change-requests/{id}/links',
    operationId: 'createChangeRequestLink',
    tag: 'Change requests',
    summary: 'Make a link to a change request',
    description:
      'For people without a key: they see the site as the request makes it, always at its head. Only this answer holds its URL. It ends when it expires, is deleted, the request is closed or published, or its maker can no longer see the request.',
    scope: 'propose',
    byPaths: true,
    needsProof: true,
    params: request,
    json: createRequestLinkBody,
    data: newLinkData,
    creates: true,
    errors: ['change_request_closed', 'change_request_not_found', 'secret_not_replayable'],
    run: createRequestLink,
  }),
  route({
    method: 'delete',
    path: '/change-requests/{id}/links/{linkId}',
    operationId: 'deleteChangeRequestLink',
    tag: 'Change requests',
    summary: 'Delete a link to a change request',
    description: 'The next request with it is refused.',
    scope: 'propose',
    byPaths: true,
    params: requestLinkParams,
    data: deletedData,
    errors: ['change_request_not_found', 'link_not_found'],
    run: deleteRequestLink,
  }),
]
