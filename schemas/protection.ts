// The protection of a site.

import { type Static, Type } from 'typebox'
import { MAX_LABEL_CHARACTERS } from '../src/model/label.js'
import { APPROVERS, PROTECTIONS } from '../src/model/rights/protection.js'
import { closed, nullable, uuid } from './common.js'

const MAX_EXCEPTED_KEYS = 20

export const protection = Type.Enum([...PROTECTIONS], {
  type: 'string',
  description:
    '`none`: whoever may write publishes. `agents`: keys and agents propose, and people publish. `all`: everybody proposes, and another person approves.',
})

const approvers = Type.Enum([...APPROVERS], {
  type: 'string',
  description: 'The least role that approves changes of the site.',
})

export const protectionData = Type.Object(
  {
    siteId: uuid('The id of the site.'),
    protection,
    approvers,
    exceptedKeys: Type.Array(
      Type.Object(
        {
          id: uuid('The id of the key.'),
          label: nullable(
            Type.String({ maxLength: MAX_LABEL_CHARACTERS, description: 'Null for a key that is gone.' }),
          ),
        },
        closed,
      ),
      { maxItems: MAX_EXCEPTED_KEYS, description: 'The keys that publish all the same.' },
    ),
    couldApprove: Type.Integer({
      minimum: 0,
      description:
        'The number of people who could approve. With fewer than two, nobody approves what the only one wrote.',
    }),
  },
  { ...closed, title: 'Protection' },
)
export type ProtectionData = Static<typeof protectionData>

export const putProtectionBody = Type.Object(
  {
    protection,
    approvers: Type.Optional(approvers),
    exceptedKeys: Type.Optional(
      Type.Array(uuid('The id of a key of the workspace.'), {
        maxItems: MAX_EXCEPTED_KEYS,
        uniqueItems: true,
        description:
          'Keys that publish all the same, such as that of a build server. Left out: as before. A new secret is a new key, which is not excepted.',
      }),
    ),
  },
  { ...closed, title: 'PutProtection' },
)
