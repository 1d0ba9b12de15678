// The endpoints of the people of a workspace.

import { idParams } from '../../../../schemas/common.js'
import {
  changeMemberBody,
  memberData,
  oneMemberData,
  removedMemberData,
  removeMemberQuery,
} from '../../../../schemas/people.js'
import { listQuery } from '../../../../schemas/sites.js'
import { changeMember, getMember, listMembers, removeMember } from '../../../usecases/people/members.js'
import { route } from './route.js'

export const peopleRoutes = [
  route({
    method: 'get',
    path: '/members',
    operationId: 'listMembers',
    tag: 'People',
    summary: 'List the people of a workspace',
    scope: 'admin',
    query: listQuery,
    data: memberData,
    list: true,
    run: listMembers,
  }),
  route({
    method: 'get',
    path: '/members/{id}',
    operationId: 'getMember',
    tag: 'People',
    summary: 'Show a member, with the keys and agents that depend on the person',
    scope: 'admin',
    params: idParams('member'),
    data: oneMemberData,
    errors: ['member_not_found'],
    run: getMember,
  }),
  route({
    method: 'patch',
    path: '/members/{id}',
    operationId: 'changeMember',
    tag: 'People',
    summary: 'Set the role of a member',
    description: 'It counts from the next request on, for sessions, keys and agents of the person.',
    scope: 'admin',
    params: idParams('member'),
    needsProof: true,
    json: changeMemberBody,
    data: memberData,
    errors: ['member_not_found', 'forbidden_role', 'protected_workspace', 'last_owner', 'conflict', 'site_not_found'],
    run: changeMember,
  }),
  route({
    method: 'delete',
    path: '/members/{id}',
    operationId: 'removeMember',
    tag: 'People',
    summary: 'Remove a member',
    description: "The person's keys and agents end. The keys can be offered to another member, who gets new secrets.",
    scope: 'admin',
    params: idParams('member'),
    needsProof: true,
    query: removeMemberQuery,
    data: removedMemberData,
    errors: ['member_not_found', 'forbidden_role', 'protected_workspace', 'last_owner'],
    run: removeMember,
  }),
]
