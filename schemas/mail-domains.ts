// Mail domains whose people may join a workspace by themselves.

import { type Static, Type } from 'typebox'
import { MAX_KEY_SITES } from '../src/model/limits.js'
import { ROLES } from '../src/model/rights/roles.js'
import { closed, nullable, timestamp, uuid } from './common.js'
import { roleSites } from './people.js'

const issuer = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: 'The provider that verifies the addresses, as `GET /session/providers` names it.',
  examples: ['https://login.example'],
})

const domain = Type.String({
  pattern: '^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z0-9-]{2,63}$',
  maxLength: 253,
  description: 'The part of an address after the @, in ASCII. Domains below it are others.',
  examples: ['example.org'],
})

/** Nobody becomes an owner without another owner's knowledge. */
const joiningRole = Type.Enum(['viewer', 'author', 'editor', 'admin'], {
  type: 'string',
  description: 'The role of those who join. Members keep theirs.',
})

export const mailDomainData = Type.Object(
  {
    issuer,
    domain,
    role: Type.Enum([...ROLES]),
    sites: nullable(Type.Array(uuid('The id of a site.'), { maxItems: MAX_KEY_SITES })),
    createdAt: timestamp('When it was allowed first.'),
  },
  { ...closed, title: 'MailDomain' },
)
export type MailDomainData = Static<typeof mailDomainData>

export const putMailDomainBody = Type.Object(
  { issuer, domain, role: joiningRole, sites: Type.Optional(roleSites) },
  { ...closed, title: 'PutMailDomain' },
)

export const removeMailDomainQuery = Type.Object({ issuer, domain }, closed)

export const removedMailDomainData = Type.Object({ issuer, domain }, { ...closed, title: 'RemovedMailDomain' })
