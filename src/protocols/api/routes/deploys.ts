// The endpoints of deploys.

import { Type } from 'typebox'
import { closed, deletedData, sliceQuery } from '../../../../schemas/common.js'
import {
  createDeployBody,
  deployBlobParams,
  deployData,
  deployIdParams,
  publishedDeployData,
  receivedData,
} from '../../../../schemas/deploys.js'
import { dryRunQuery } from '../../../../schemas/pages.js'
import { createDeploy, deleteDeploy, getDeploy, listDeploys } from '../../../usecases/deploys/deploys.js'
import { publishDeploy } from '../../../usecases/deploys/publish-deploy.js'
import { putBlob, putBlobs } from '../../../usecases/deploys/receive-blobs.js'
import { route } from './route.js'

export const deployRoutes = [
  route({
    method: 'get',
    path: '/deploys',
    operationId: 'listDeploys',
    tag: 'Deploys',
    summary: 'List deploys',
    description: 'The deploys of the workspace that are open or were published within a day, the newest first.',
    query: Type.Object(sliceQuery, closed),
    data: deployData,
    list: true,
    run: listDeploys,
  }),
  route({
    method: 'post',
    path: '/deploys',
    operationId: 'createDeploy',
    byPaths: true,
    tag: 'Deploys',
    summary: 'Begin a deploy',
    description:
      'Names the files of a folder with the ids of their bytes. Names that cannot be published are refused at once, each with its reason. `missing` lists the bytes to upload. If the site already has every file, `unchanged` holds the publish result and nothing is left to do.',
    scope: 'write',
    json: createDeployBody,
    data: deployData,
    creates: true,
    errors: ['invalid_deploy', 'path_conflict', 'too_many_deploys', 'site_mismatch'],
    run: createDeploy,
  }),
  route({
    method: 'get',
    path: '/deploys/{id}',
    operationId: 'getDeploy',
    tag: 'Deploys',
    summary: 'Read a deploy',
    description: '`missing` lists the bytes still to upload, so an interrupted upload can resume.',
    params: deployIdParams,
    data: deployData,
    errors: ['deploy_not_found'],
    run: getDeploy,
  }),
  route({
    method: 'delete',
    path: '/deploys/{id}',
    operationId: 'deleteDeploy',
    byPaths: true,
    tag: 'Deploys',
    summary: 'Give up a deploy',
    description: 'What was uploaded is removed. What it published stays.',
    scope: 'write',
    params: deployIdParams,
    data: deletedData,
    errors: ['deploy_not_found'],
    run: deleteDeploy,
  }),
  route({
    method: 'put',
    path: '/deploys/{id}/blobs/{oid}',
    operationId: 'putBlob',
    byPaths: true,
    tag: 'Deploys',
    summary: 'Upload the bytes of one file',
    description: 'Checked against their id. Durable when the answer arrives.',
    scope: 'write',
    params: deployBlobParams,
    bytes: 'maxFileBytes',
    data: receivedData,
    errors: ['deploy_not_found', 'conflict'],
    run: putBlob,
  }),
  route({
    method: 'post',
    path: '/deploys/{id}/blobs',
    operationId: 'putBlobs',
    byPaths: true,
    tag: 'Deploys',
    summary: 'Upload the bytes of many files',
    description:
      'A tar (ustar) of regular files, each named by the id of its bytes. All of them are taken, or none; durable when the answer arrives.',
    scope: 'write',
    params: deployIdParams,
    bytes: 'maxDeployBytes',
    data: receivedData,
    errors: ['deploy_not_found', 'conflict'],
    run: putBlobs,
  }),
  route({
    method: 'post',
    path: '/deploys/{id}/publish',
    operationId: 'publishDeploy',
    byPaths: true,
    tag: 'Deploys',
    summary: 'Publish a deploy',
    description:
      'As one commit, all or nothing. Published once: a second request gets the same answer. With `dryRun=true` nothing is written, and `previewUrl` shows the whole site as it would be.',
    scope: 'write',
    params: deployIdParams,
    query: dryRunQuery,
    data: publishedDeployData,
    errors: ['deploy_not_found', 'blobs_missing', 'invalid_deploy', 'path_conflict', 'precondition_failed', 'conflict'],
    run: publishDeploy,
  }),
]
