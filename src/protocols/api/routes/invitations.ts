// The endpoints of invitations. Taking one needs no key: `sign-in.ts`.

import { deletedData, idParams } from '../../../../schemas/common.js'
import { createInvitationBody, invitationData, newInvitationData } from '../../../../schemas/invitations.js'
import { listQuery } from '../../../../schemas/sites.js'
import { createInvitation, listInvitations, revokeInvitation } from '../../../usecases/people/invitations.js'
import { route } from './route.js'

export const invitationRoutes = [
  route({
    method: 'get',
    path: '/invitations',
    operationId: 'listInvitations',
    tag: 'People',
    summary: 'List open invitations',
    description: 'Without their links.',
    scope: 'admin',
    query: listQuery,
    data: invitationData,
    list: true,
    run: listInvitations,
  }),
  route({
    method: 'post',
    path: '/invitations',
    operationId: 'createInvitation',
    tag: 'People',
    summary: 'Invite a person',
    description: 'The link works once, and only this answer holds it. It ends if the inviter could no longer make it.',
    scope: 'admin',
    needsProof: true,
    json: createInvitationBody,
    data: newInvitationData,
    creates: true,
    errors: ['forbidden_role', 'protected_workspace', 'site_not_found', 'secret_not_replayable'],
    run: createInvitation,
  }),
  route({
    method: 'delete',
    path: '/invitations/{id}',
    operationId: 'revokeInvitation',
    tag: 'People',
    summary: 'Take an invitation back',
    scope: 'admin',
    params: idParams('invitation'),
    data: deletedData,
    errors: ['invitation_not_found'],
    run: revokeInvitation,
  }),
]
