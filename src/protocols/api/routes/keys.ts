// The endpoints of API keys.

import { idParams } from '../../../../schemas/common.js'
import {
  createKeyBody,
  keyData,
  newKeyData,
  revokedKeyData,
  revokeKeyQuery,
  rotateKeyBody,
} from '../../../../schemas/keys.js'
import { listQuery } from '../../../../schemas/sites.js'
import { createKey, listKeys, revokeKey, rotateKey } from '../../../usecases/access/keys.js'
import { route } from './route.js'

export const keyRoutes = [
  route({
    method: 'get',
    path: '/keys',
    operationId: 'listKeys',
    byPaths: true,
    forOneself: true,
    scope: 'admin',
    tag: 'Keys',
    summary: 'List API keys',
    description:
      'Without the secrets, which the service does not store. Needs the scope admin; people also see their own.',
    query: listQuery,
    data: keyData,
    list: true,
    run: listKeys,
  }),
  route({
    method: 'post',
    path: '/keys',
    operationId: 'createKey',
    byPaths: true,
    forOneself: true,
    scope: 'admin',
    tag: 'Keys',
    summary: 'Create an API key',
    description:
      'Only this answer holds the key. It expires no later than the key that makes it. Needs the scope admin, but people may make keys for themselves.',
    needsProof: true,
    json: createKeyBody,
    data: newKeyData,
    creates: true,
    errors: ['forbidden_scope', 'invalid_path', 'site_not_found', 'secret_not_replayable'],
    run: createKey,
  }),
  route({
    method: 'post',
    path: '/keys/{id}/rotate',
    operationId: 'rotateKey',
    byPaths: true,
    forOneself: true,
    scope: 'admin',
    tag: 'Keys',
    summary: 'Replace an API key with a new one',
    description:
      'The new key has the same label, scopes and sites, and expires when the old key or the caller does; only this answer holds it. The old key stays valid for `overlapSeconds`. Also takes an offered key, at once.',
    params: idParams('key'),
    needsProof: true,
    json: rotateKeyBody,
    data: newKeyData,
    creates: true,
    errors: ['forbidden_role', 'forbidden_scope', 'key_not_found', 'secret_not_replayable'],
    run: rotateKey,
  }),
  route({
    method: 'delete',
    path: '/keys/{id}',
    operationId: 'revokeKey',
    byPaths: true,
    forOneself: true,
    scope: 'admin',
    tag: 'Keys',
    summary: 'Revoke an API key',
    description: 'The next request with it is refused. Also declines an offered key.',
    params: idParams('key'),
    query: revokeKeyQuery,
    data: revokedKeyData,
    errors: ['key_not_found'],
    run: revokeKey,
  }),
]
