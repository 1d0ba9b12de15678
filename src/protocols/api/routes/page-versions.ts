// The endpoints of the versions of pages.

import { Type } from 'typebox'
import { closed, idParams, ofRequest, sliceQuery } from '../../../../schemas/common.js'
import { dryRunQuery, pageData } from '../../../../schemas/pages.js'
import { diffData, diffQuery, rollbackBody, versionData, versionParams } from '../../../../schemas/versions.js'
import { getContentQuery } from '../../../../schemas/content.js'
import { diffVersions, getVersion, listVersions, rollbackPage } from '../../../usecases/pages/versions.js'
import { withdrawVersion } from '../../../usecases/pages/withdraw.js'
import { route } from './route.js'

const page = idParams('page')

export const pageVersionRoutes = [
  route({
    method: 'get',
    path: '/pages/{id}/versions',
    operationId: 'listVersions',
    tag: 'Versions',
    summary: 'List the versions of a page',
    description: 'The newest first. An unpublished page has versions too.',
    params: page,
    query: Type.Object({ ...sliceQuery, ...ofRequest }, closed),
    data: versionData,
    list: true,
    errors: ['page_not_found', 'ambiguous_id'],
    run: listVersions,
  }),
  route({
    method: 'get',
    path: '/pages/{id}/versions/{version}',
    operationId: 'getVersion',
    tag: 'Versions',
    summary: 'Read a version',
    description: 'By number, or by the full id of its commit. Includes its html, or another form or a part of it.',
    params: versionParams,
    query: getContentQuery,
    data: versionData,
    errors: ['page_not_found', 'version_not_found', 'ambiguous_id', 'part_not_found'],
    run: getVersion,
  }),
  route({
    method: 'post',
    path: '/pages/{id}/versions/{version}/withdraw',
    operationId: 'withdrawVersion',
    tag: 'Versions',
    summary: 'Withdraw a version',
    description:
      'Hides the version from everybody without a key: every host that shows the history answers 410 for its bytes. Keys can still read it. The live html cannot be withdrawn: replace it first.',
    scope: 'write',
    params: versionParams,
    data: versionData,
    errors: ['page_not_found', 'version_not_found', 'ambiguous_id', 'conflict'],
    run: withdrawVersion,
  }),
  route({
    method: 'get',
    path: '/pages/{id}/diff',
    operationId: 'diffVersions',
    tag: 'Versions',
    summary: 'Compare two versions',
    params: page,
    query: diffQuery,
    data: diffData,
    errors: ['page_not_found', 'version_not_found', 'ambiguous_id'],
    run: diffVersions,
  }),
  route({
    method: 'post',
    path: '/pages/{id}/rollback',
    operationId: 'rollbackPage',
    byPaths: true,
    tag: 'Versions',
    summary: 'Roll a page back to a version',
    description: 'Makes a new version with the bytes of the old one. It never conflicts and can itself be rolled back.',
    scope: 'write',
    params: page,
    query: dryRunQuery,
    json: rollbackBody,
    data: pageData,
    ifMatch: true,
    errors: ['page_not_found', 'version_not_found', 'path_conflict', 'conflict', 'ambiguous_id'],
    run: rollbackPage,
  }),
]
