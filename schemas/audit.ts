// The audit log of a workspace.

import { type Static, Type } from 'typebox'
import { PRINCIPAL_KINDS } from '../src/model/principal.js'
import { closed, nullable, sliceQuery, timestamp } from './common.js'

/** Longest word of an entry: a kind and an id. */
const MAX_WORDS = 300

const word = (description: string) => Type.String({ minLength: 1, maxLength: MAX_WORDS, description })

export const auditQuery = Type.Object(
  {
    ...sliceQuery,
    action: Type.Optional(word('Only entries with this action, such as `key.create`; `key` means all about keys.')),
    actor: Type.Optional(word('Only what this person, key, session or agent did: its id.')),
    target: Type.Optional(word('Only what was done to this: its id, or kind and id, such as `key <id>`.')),
    since: Type.Optional(timestamp('Only entries of this time or later.')),
    until: Type.Optional(timestamp('Only entries before this time.')),
  },
  closed,
)

const fact = (description: string) => Type.Optional(Type.String({ maxLength: 1_000, description }))

export const auditData = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: 'Its place in the chain.' }),
    at: timestamp('When it happened.'),
    actor: Type.Object(
      {
        kind: Type.Enum([...PRINCIPAL_KINDS, 'nobody']),
        id: Type.String({ maxLength: MAX_WORDS, description: 'The id of the key, session or agent.' }),
        userId: Type.Optional(Type.String({ maxLength: 36, description: 'The id of the person.' })),
        client: Type.Optional(Type.String({ maxLength: MAX_WORDS, description: "The agent's program." })),
      },
      closed,
    ),
    action: Type.String({ maxLength: MAX_WORDS, description: 'A noun and a verb: `key.create`.' }),
    target: Type.String({ maxLength: MAX_WORDS, description: 'Kind and id of what it was done to.' }),
    details: Type.Object({}, { additionalProperties: true, description: 'The change, without names and secrets.' }),
    personal: nullable(
      Type.Object(
        {
          name: fact('The name of the actor.'),
          about: fact('The name of the person or thing that it was done to.'),
          email: fact('An e-mail address.'),
          address: fact('The IP address of the request.'),
          device: fact('The browser and system of the request.'),
        },
        { ...closed, description: 'Facts about people; null once they are erased.' },
      ),
    ),
    hash: Type.String({ maxLength: 64, description: 'SHA-256 over the hash of the entry before and this entry.' }),
  },
  { ...closed, title: 'AuditEntry' },
)
export type AuditData = Static<typeof auditData>
