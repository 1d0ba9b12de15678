// The endpoints of comments on change requests and on versions of pages.

import { Type } from 'typebox'
import { closed, deletedData, idParams, uuid } from '../../../../schemas/common.js'
import {
  changeCommentBody,
  commentData,
  commentOnPageBody,
  commentOnRequestBody,
  listPageCommentsQuery,
  listRequestCommentsQuery,
} from '../../../../schemas/comments.js'
import { changeComment, deleteComment } from '../../../usecases/comments/change-comment.js'
import { commentOnPage, listPageComments } from '../../../usecases/comments/comments-on-page.js'
import { commentOnRequest, listRequestComments } from '../../../usecases/comments/comments-on-request.js'
import { route } from './route.js'

const request = Type.Object({ id: uuid('The id of the change request.') }, closed)
const page = idParams('page')
const comment = Type.Object({ id: uuid('The id of the comment.') }, closed)
const tag = 'Comments'

export const commentRoutes = [
  route({
    method: 'get',
    path: '/change-requests/{id}/comments',
    operationId: 'listCommentsOnChangeRequest',
    tag,
    summary: 'List the comments on a change request',
    description: 'In the order in which they were written. Each stays at the commit that it was made on.',
    params: request,
    query: listRequestCommentsQuery,
    data: commentData,
    list: true,
    errors: ['change_request_not_found'],
    run: listRequestComments,
  }),
  route({
    method: 'post',
    path: '/change-requests/{id}/comments',
    operationId: 'commentOnChangeRequest',
    tag,
    summary: 'Comment on a change request, or answer a comment',
    description:
      'Everybody who sees the request reads it. `asksForChanges` gives a request under review back to its author.',
    scope: 'propose',
    byPaths: true,
    params: request,
    json: commentOnRequestBody,
    data: commentData,
    creates: true,
    errors: [
      'change_request_closed',
      'change_request_not_found',
      'comment_not_found',
      'file_not_found',
      'invalid_path',
      'too_many_comments',
      'version_not_found',
    ],
    run: commentOnRequest,
  }),
  route({
    method: 'get',
    path: '/pages/{id}/comments',
    operationId: 'listCommentsOnPage',
    tag,
    summary: 'List the comments on the versions of a page',
    description: 'In the order in which they were written. Each stays at the version that it was made on.',
    params: page,
    query: listPageCommentsQuery,
    data: commentData,
    list: true,
    errors: ['ambiguous_id', 'page_not_found'],
    run: listPageComments,
  }),
  route({
    method: 'post',
    path: '/pages/{id}/comments',
    operationId: 'commentOnPage',
    tag,
    summary: 'Comment on a version of a page, or answer a comment',
    description: 'Everybody who may read the page by the API reads it. Visitors do not.',
    scope: 'propose',
    byPaths: true,
    params: page,
    json: commentOnPageBody,
    data: commentData,
    creates: true,
    errors: ['ambiguous_id', 'comment_not_found', 'page_not_found', 'too_many_comments', 'version_not_found'],
    run: commentOnPage,
  }),
  route({
    method: 'patch',
    path: '/comments/{id}',
    operationId: 'changeComment',
    tag,
    summary: 'Change the text of a comment, resolve its thread, or open it again',
    description: 'Only its author changes the text. Everybody who may comment there resolves.',
    scope: 'propose',
    byPaths: true,
    params: comment,
    json: changeCommentBody,
    data: commentData,
    errors: ['comment_not_found', 'comment_of_another'],
    run: changeComment,
  }),
  route({
    method: 'delete',
    path: '/comments/{id}',
    operationId: 'deleteComment',
    tag,
    summary: 'Delete a comment with its answers',
    description:
      'Its author deletes it until others have answered, and everybody who may write to the site at any time.',
    scope: 'propose',
    byPaths: true,
    params: comment,
    data: deletedData,
    errors: ['comment_not_found', 'comment_of_another', 'conflict'],
    run: deleteComment,
  }),
]
