// The endpoints of the history of a site: its commits, and the ways to undo them.

import {
  commitData,
  commitParams,
  commitQuery,
  listCommitsQuery,
  revertBody,
  tagData,
  undoBody,
  undoData,
} from '../../../../schemas/commits.js'
import { idParams, toRequestQuery } from '../../../../schemas/common.js'
import { dryRunQuery } from '../../../../schemas/pages.js'
import { listQuery } from '../../../../schemas/sites.js'
import { getCommit, listCommits } from '../../../usecases/sites/site-history.js'
import { listTags } from '../../../usecases/sites/tags.js'
import { revertCommit, undoCommits } from '../../../usecases/sites/undo.js'
import { route } from './route.js'

const site = idParams('site')

export const commitRoutes = [
  route({
    method: 'get',
    path: '/sites/{id}/commits',
    operationId: 'listCommits',
    tag: 'History',
    summary: "List a site's commits",
    description:
      'The first-parent history, newest first. `author=me` is what the service itself recorded by its signature.',
    params: site,
    query: listCommitsQuery,
    data: commitData,
    list: true,
    errors: ['site_not_found', 'version_not_found', 'invalid_path'],
    run: listCommits,
  }),
  route({
    method: 'get',
    path: '/sites/{id}/commits/{oid}',
    operationId: 'getCommit',
    tag: 'History',
    summary: 'Read a commit with the files it changed',
    params: commitParams,
    query: commitQuery,
    data: commitData,
    errors: ['site_not_found', 'version_not_found'],
    run: getCommit,
  }),
  route({
    method: 'get',
    path: '/sites/{id}/tags',
    operationId: 'listTags',
    tag: 'History',
    summary: "List a site's tags",
    description: 'By name. Tags are set, moved and deleted by `git push`.',
    params: site,
    query: listQuery,
    data: tagData,
    list: true,
    errors: ['site_not_found'],
    run: listTags,
  }),
  route({
    method: 'post',
    path: '/sites/{id}/revert',
    operationId: 'revertCommit',
    byPaths: true,
    tag: 'History',
    summary: 'Undo a commit',
    description:
      'Path by path, without following renames. Changes of different lines are merged. Where later commits are in the way: 409 with each path and the reason.',
    scope: 'write',
    params: site,
    query: toRequestQuery,
    json: revertBody,
    data: commitData,
    creates: true,
    errors: ['site_not_found', 'version_not_found', 'revert_conflict', 'path_conflict', 'conflict'],
    run: revertCommit,
  }),
  route({
    method: 'post',
    path: '/sites/{id}/undo',
    operationId: 'undoCommits',
    byPaths: true,
    tag: 'History',
    summary: 'Undo several commits in one, or go back to one',
    description:
      'Undoes the newest first, each as `revert` does: all or none. 409 lists the conflicts of every commit that cannot be undone; undoing the others then works. With `backTo` the site, or what `paths` name, is again as it was with that commit. Ids and history stay.',
    scope: 'write',
    params: site,
    query: dryRunQuery,
    json: undoBody,
    data: undoData,
    errors: ['site_not_found', 'version_not_found', 'invalid_path', 'revert_conflict', 'path_conflict', 'conflict'],
    run: undoCommits,
  }),
]
