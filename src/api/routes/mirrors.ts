// The endpoints of the mirror of a site.

import { deletedData, idParams } from '../../../schemas/common.js'
import { mirrorData, setMirrorBody } from '../../../schemas/mirrors.js'
import { deleteMirror, getMirror, retryMirror, setMirror } from '../../usecases/sites/mirror.js'
import { route } from './route.js'

const site = idParams('site')

export const mirrorRoutes = [
  route({
    method: 'get',
    path: '/sites/{id}/mirror',
    operationId: 'getMirror',
    tag: 'Sites',
    summary: 'Read how the mirror of a site is',
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
      'From now on main and the tags are pushed there after each change of the site, through whatever door it comes. Nothing is ever forced, and what does not come from the site stays. Replaces the mirror that the site has, its credentials too.',
    scope: 'admin',
    params: site,
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
    description: 'Also where it stopped because the remote has commits of its own.',
    scope: 'admin',
    params: site,
    data: mirrorData,
    errors: ['site_not_found', 'mirror_not_found'],
    run: retryMirror,
  }),
]
