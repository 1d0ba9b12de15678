// The endpoints of the mirror of a site.

import { deletedData, idParams } from '../../../../schemas/common.js'
import { mirrorData, setMirrorBody } from '../../../../schemas/mirrors.js'
import { deleteMirror, getMirror, retryMirror, setMirror } from '../../../usecases/sites/mirror.js'
import { route } from './route.js'

const site = idParams('site')

export const mirrorRoutes = [
  route({
    method: 'get',
    path: '/sites/{id}/mirror',
    operationId: 'getMirror',
    tag: 'Sites',
    summary: 'Read the state of a mirror',
    scope: 'admin',
    params: site,
    data: mirrorData,
    errors: ['site_not_found'],
    run: getMirror,
  }),
  route({
    method: 'put',
    path: '/sites/{id}/mirror',
    operationId: 'setMirror',
    tag: 'Sites',
    summary: 'Mirror a site to a remote repository',
    description:
      'Pushes main and the tags there after each change of the site, however it was made. Nothing is forced, and other refs of the remote stay. Replaces an existing mirror and its credentials.',
    scope: 'admin',
    params: site,
    needsProof: true,
    json: setMirrorBody,
    data: mirrorData,
    errors: ['site_not_found', 'invalid_remote', 'conflict'],
    run: setMirror,
  }),
  route({
    method: 'delete',
    path: '/sites/{id}/mirror',
    operationId: 'deleteMirror',
    tag: 'Sites',
    summary: 'Stop mirroring a site',
    description: 'The remote stays as it is, and the credentials are forgotten.',
    scope: 'admin',
    needsProof: true,
    params: site,
    data: deletedData,
    errors: ['site_not_found', 'mirror_not_found'],
    run: deleteMirror,
  }),
  route({
    method: 'post',
    path: '/sites/{id}/mirror/retry',
    operationId: 'retryMirror',
    tag: 'Sites',
    summary: 'Try the mirror again at once',
    description: 'Works also after it stopped because the remote has commits of its own.',
    scope: 'admin',
    params: site,
    data: mirrorData,
    errors: ['site_not_found', 'mirror_not_found'],
    run: retryMirror,
  }),
]
