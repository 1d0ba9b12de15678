// People of a workspace: members with their roles.

import { type Static, Type } from 'typebox'
import { MAX_LABEL_CHARACTERS } from '../src/model/label.js'
import { MAX_KEY_SITES } from '../src/model/limits.js'
import { SCOPES } from '../src/model/rights/scopes.js'
import { ROLES } from '../src/model/rights/roles.js'
import { closed, nullable, timestamp, uuid } from './common.js'

export const role = Type.Enum([...ROLES], {
  type: 'string',
  description:
    'viewer reads, author may also propose, editor writes, admin also manages keys and people, owner also owners.',
})

/** The sites of a role in a body. */
export const roleSites = nullable(
  Type.Array(uuid('A site.'), {
    minItems: 1,
    maxItems: MAX_KEY_SITES,
    uniqueItems: true,
    description: 'The only sites that the role is for; null: all. An owner always has all.',
  }),
)

const rights = {
  role: Type.Enum([...ROLES]),
  sites: nullable(Type.Array(uuid('The id of a site.'), { maxItems: MAX_KEY_SITES })),
}

const member = {
  id: uuid("The person's id."),
  name: Type.String({ maxLength: MAX_LABEL_CHARACTERS, description: 'The author that commits name.' }),
  ...rights,
  sources: Type.Array(
    Type.Object(
      {
        source: Type.String({
          maxLength: 2_100,
          description: '`hand`, `link`, `invitation`, `domain`, or `provider <issuer>`.',
        }),
        ...rights,
      },
      closed,
    ),
    { maxItems: 100, description: 'Where the rights come from. `hand` counts before all others, then the strongest.' },
  ),
  joinedAt: timestamp('When the person became a member.'),
}

export const memberData = Type.Object(member, { ...closed, title: 'Member' })
export type MemberData = Static<typeof memberData>

/** A key or an agent that ends with its person. */
const held = {
  id: uuid('Its id.'),
  name: Type.String({ maxLength: 256, description: 'The label of a key, or the name of an agent.' }),
  scopes: Type.Array(Type.Enum([...SCOPES]), { maxItems: SCOPES.length }),
  sites: nullable(Type.Array(uuid('The id of a site.'), { maxItems: MAX_KEY_SITES })),
}

export const oneMemberData = Type.Object(
  {
    ...member,
    keys: Type.Array(Type.Object(held, closed), { maxItems: 1_000, description: "The person's own keys." }),
    agents: Type.Array(Type.Object(held, closed), {
      maxItems: 1_000,
      description: 'The agents that the person connected.',
    }),
  },
  { ...closed, title: 'OneMember' },
)
export type OneMemberData = Static<typeof oneMemberData>

export const changeMemberBody = Type.Object(
  {
    role: nullable(role),
    sites: Type.Optional(roleSites),
  },
  {
    ...closed,
    title: 'ChangeMember',
    description:
      'Sets the role by hand. Null takes the role set by hand away: the rights of the other sources count again.',
  },
)

export const removeMemberQuery = Type.Object(
  {
    handTo: Type.Optional(
      uuid(
        "The member to whom the person's keys are offered. The keys end all the same: the member finds the offers in GET /keys for 14 days, and takes them with new secrets. The caller must be allowed to change the member's role.",
      ),
    ),
  },
  closed,
)

export const removedMemberData = Type.Object(
  { id: uuid('The id of the person.') },
  { ...closed, title: 'RemovedMember' },
)
