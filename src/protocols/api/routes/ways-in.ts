// The endpoints of the ways in: a person's own identities, and the mail domains that may join.

import { Type } from 'typebox'
import { closed, uuid } from '../../../../schemas/common.js'
import { identityData, removedIdentityData } from '../../../../schemas/identities.js'
import {
  mailDomainData,
  putMailDomainBody,
  removedMailDomainData,
  removeMailDomainQuery,
} from '../../../../schemas/mail-domains.js'
import { listIdentities, removeIdentity } from '../../../usecases/sign-in/identities.js'
import { listMailDomains, putMailDomain, removeMailDomain } from '../../../usecases/sign-in/mail-domains.js'
import { route } from './route.js'

export const waysInRoutes = [
  route({
    method: 'get',
    path: '/me/identities',
    operationId: 'listIdentities',
    tag: 'People',
    summary: 'List your accounts at identity providers',
    scope: 'admin',
    forOneself: true,
    data: identityData,
    list: true,
    errors: ['borrowed_session'],
    run: listIdentities,
  }),
  route({
    method: 'delete',
    path: '/me/identities/{id}',
    operationId: 'removeIdentity',
    tag: 'People',
    summary: 'Remove one of your accounts at identity providers',
    description: 'The last way in stays.',
    needsProof: true,
    scope: 'admin',
    forOneself: true,
    params: Type.Object({ id: uuid('The id of the identity, as GET /me/identities lists it.') }, closed),
    data: removedIdentityData,
    errors: ['borrowed_session', 'identity_not_found', 'last_way_in'],
    run: removeIdentity,
  }),
  route({
    method: 'get',
    path: '/mail-domains',
    operationId: 'listMailDomains',
    tag: 'People',
    summary: 'List the mail domains whose people may join',
    forOwners: true,
    scope: 'admin',
    data: mailDomainData,
    list: true,
    errors: ['forbidden_role'],
    run: listMailDomains,
  }),
  route({
    method: 'put',
    path: '/mail-domains',
    operationId: 'putMailDomain',
    tag: 'People',
    summary: 'Let the people of a mail domain join by themselves',
    description: 'They join when they sign in at the provider that verified their address. Only owners decide this.',
    needsProof: true,
    forOwners: true,
    scope: 'admin',
    json: putMailDomainBody,
    data: mailDomainData,
    errors: ['forbidden_role', 'site_not_found'],
    run: putMailDomain,
  }),
  route({
    method: 'delete',
    path: '/mail-domains',
    operationId: 'removeMailDomain',
    tag: 'People',
    summary: 'Let nobody else join by a mail domain',
    description: 'Those who joined stay members.',
    needsProof: true,
    forOwners: true,
    scope: 'admin',
    query: removeMailDomainQuery,
    data: removedMailDomainData,
    errors: ['forbidden_role', 'mail_domain_not_found'],
    run: removeMailDomain,
  }),
]
