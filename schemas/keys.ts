// API keys.

import { type Static, Type } from 'typebox'
import { LABEL_PATTERN, MAX_LABEL_CHARACTERS } from '../src/model/label.js'
import { closed, nullable, timestamp, uuid } from './common.js'

const scope = Type.Enum(['read', 'write', 'admin'])

const label = Type.String({
  minLength: 1,
  maxLength: MAX_LABEL_CHARACTERS,
  pattern: LABEL_PATTERN,
  description: 'The author that its commits name. No control characters.',
  examples: ['deploy script'],
})

export const createKeyBody = Type.Object(
  {
    label,
    scopes: Type.Optional(
      Type.Array(scope, {
        minItems: 1,
        uniqueItems: true,
        default: ['read'],
        description: 'Only scopes that the minting key holds.',
      }),
    ),
    sites: Type.Optional(
      nullable(
        Type.Array(uuid('A site.'), {
          minItems: 1,
          maxItems: 100,
          uniqueItems: true,
          description: 'The only sites it may see.',
        }),
      ),
    ),
    expiresAt: Type.Optional(nullable(timestamp('When it ends; null or absent: never.'))),
  },
  { ...closed, title: 'CreateKey' },
)

export const rotateKeyBody = Type.Object(
  {
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 30 * 86_400,
        default: 86_400,
        description: 'How long the key before goes on.',
      }),
    ),
  },
  { ...closed, title: 'RotateKey' },
)

const fields = {
  id: uuid("The key's id."),
  label: Type.String({ description: 'The author that its commits name.' }),
  prefix: Type.String({ description: 'Its first characters, to tell it from others.' }),
  scopes: Type.Array(scope),
  sites: nullable(Type.Array(uuid('A site it may see.'))),
  expiresAt: nullable(timestamp('When it ends.')),
  lastUsedAt: nullable(timestamp('To the minute.')),
  createdAt: timestamp('When it was made.'),
}

export const keyData = Type.Object(fields, { ...closed, title: 'Key' })
export type KeyData = Static<typeof keyData>

export const newKeyData = Type.Object(
  { ...fields, key: Type.String({ description: 'The key itself: shown this once, and kept only as a hash.' }) },
  { ...closed, title: 'NewKey' },
)
export type NewKeyData = Static<typeof newKeyData>
