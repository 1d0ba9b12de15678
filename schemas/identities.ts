// Identities of a person: accounts at identity providers.

import { type Static, Type } from 'typebox'
import { isBorrowed } from './account.js'
import { closed, nullable, timestamp, uuid } from './common.js'

export const identityData = Type.Object(
  {
    id: uuid('The id of the identity.'),
    issuer: Type.String({ maxLength: 2_048, description: 'The provider, as it names itself.' }),
    provider: nullable(
      Type.String({ maxLength: 2_048, description: 'Its name for people; null if the service no longer knows it.' }),
    ),
    email: nullable(Type.String({ maxLength: 254, description: 'The address that the provider verified.' })),
    isBorrowed,
    createdAt: timestamp('When it was added.'),
    lastUsedAt: nullable(timestamp('The last sign-in with it.')),
  },
  { ...closed, title: 'Identity' },
)
export type IdentityData = Static<typeof identityData>

export const removedIdentityData = Type.Object(
  { id: uuid('The id of the identity.') },
  { ...closed, title: 'RemovedIdentity' },
)
