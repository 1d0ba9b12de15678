// Invitations into a workspace.

import { type Static, Type } from 'typebox'
import { ROLES } from '../src/model/rights/roles.js'
import { MAX_KEY_SITES } from '../src/model/limits.js'
import { url } from './answer-texts.js'
import { closed, nullable, timestamp, uuid } from './common.js'
import { role, roleSites } from './people.js'

/** Longest e-mail address (RFC 5321). */
export const MAX_EMAIL_CHARACTERS = 254

export const createInvitationBody = Type.Object(
  {
    role,
    sites: Type.Optional(roleSites),
    email: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: MAX_EMAIL_CHARACTERS,
        pattern: '^[^\\s@]+@[^\\s@]+$',
        description: 'Only the account with this verified address at an identity provider may take the invitation.',
      }),
    ),
    expiresIn: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 2_592_000,
        default: 604_800,
        description: 'Lifetime in seconds; default: 7 days.',
      }),
    ),
  },
  { ...closed, title: 'CreateInvitation' },
)

const fields = {
  id: uuid('The id of the invitation.'),
  role: Type.Enum([...ROLES]),
  sites: nullable(Type.Array(uuid('The id of a site.'), { maxItems: MAX_KEY_SITES })),
  email: nullable(
    Type.String({ maxLength: MAX_EMAIL_CHARACTERS, description: 'The only verified address that may take it.' }),
  ),
  invitedBy: Type.String({ maxLength: 100, description: 'The name of the inviter.' }),
  expiresAt: timestamp('When it expires.'),
  createdAt: timestamp('When it was made.'),
}

export const invitationData = Type.Object(fields, { ...closed, title: 'Invitation' })
export type InvitationData = Static<typeof invitationData>

export const newInvitationData = Type.Object(
  {
    ...fields,
    url: url({ description: 'The link for the invited person. It works once, and only this answer holds it.' }),
  },
  { ...closed, title: 'NewInvitation' },
)
export type NewInvitationData = Static<typeof newInvitationData>
