// API keys.

import { type Static, Type } from 'typebox'
import { LABEL_PATTERN, MAX_LABEL_CHARACTERS } from '../src/model/label.js'
import { MAX_KEY_SITES } from '../src/model/limits.js'
import { PRINCIPAL_KINDS, TOOLSETS } from '../src/model/principal.js'
import { SCOPES } from '../src/model/rights/scopes.js'
import { closed, nullable, timestamp, uuid } from './common.js'

/** Declares its type, because Ajv then compares entries by value. Entries that could be objects are compared in pairs. */
const scope = Type.Enum([...SCOPES], { type: 'string' })

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
        maxItems: SCOPES.length,
        uniqueItems: true,
        default: ['read'],
        description: 'Only scopes that the minting key itself has.',
      }),
    ),
    sites: Type.Optional(
      nullable(
        Type.Array(uuid('A site.'), {
          minItems: 1,
          maxItems: 100,
          uniqueItems: true,
          description: 'The only sites that the key may see; null: those that the minting key may see.',
        }),
      ),
    ),
    paths: Type.Optional(
      nullable(
        Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
          minItems: 1,
          maxItems: 20,
          description:
            'The only pages and files that the key may write to: paths, and patterns such as `/blog/*`. Never records or settings, and `_redirects`, `_headers`, `404.html` only where they are named. Null: those of the minting key.',
        }),
      ),
    ),
    origins: Type.Optional(
      nullable(
        Type.Array(Type.String({ minLength: 1, maxLength: 261, examples: ['https://app.example'] }), {
          minItems: 1,
          maxItems: 20,
          uniqueItems: true,
          description:
            'Origins of the only web pages that may use the key. Null: those of the minting key, or those that the service allows to every key. Programs that are no web pages are not limited.',
        }),
      ),
    ),
    toolset: Type.Optional(
      nullable(
        Type.Enum([...TOOLSETS], {
          type: 'string',
          description: 'The tools offered to an agent that names no toolset. Null: all.',
        }),
      ),
    ),
    personal: Type.Optional(
      Type.Boolean({
        description:
          'Whether it is your own key: it never allows more than you may do, and ends with your membership. False, the default for admins: a key of the workspace.',
      }),
    ),
    expiresAt: Type.Optional(
      nullable(timestamp('When the key expires. Default, and the latest: when the minting key expires; null: never.')),
    ),
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
        description: 'How long the old key stays valid, in seconds.',
      }),
    ),
  },
  { ...closed, title: 'RotateKey' },
)

const fields = {
  id: uuid("The key's id."),
  label: Type.String({ maxLength: MAX_LABEL_CHARACTERS, description: 'The author that its commits name.' }),
  prefix: Type.String({ maxLength: 16, description: 'The first characters of the key, to recognize it.' }),
  scopes: Type.Array(scope, { maxItems: SCOPES.length }),
  sites: nullable(Type.Array(uuid('The id of a site that the key may see.'), { maxItems: MAX_KEY_SITES })),
  paths: nullable(
    Type.Array(Type.String({ maxLength: 2_100, description: 'A path or pattern that the key may write to.' }), {
      maxItems: 20,
    }),
  ),
  origins: nullable(
    Type.Array(Type.String({ maxLength: 261, description: 'The origin of web pages that may use the key.' }), {
      maxItems: 20,
    }),
  ),
  toolset: nullable(Type.Enum([...TOOLSETS], { description: 'The tools offered to its agents.' })),
  expiresAt: nullable(timestamp('When the key expires; null: never.')),
  lastUsedAt: nullable(timestamp('The last request with the key; one that another node answered, within a minute.')),
  mintedBy: nullable(
    Type.Object(
      { kind: Type.Enum([...PRINCIPAL_KINDS]), id: Type.String({ maxLength: 1_024 }) },
      { ...closed, description: 'The principal that made the key; null for keys made before this was recorded.' },
    ),
  ),
  userId: nullable(uuid('The person whose role bounds the key; null: it is a key of the workspace.')),
  offer: nullable(
    Type.Object(
      {
        from: Type.String({ maxLength: MAX_LABEL_CHARACTERS, description: 'The person who had the key.' }),
        until: timestamp('When the offer ends.'),
      },
      {
        ...closed,
        description:
          'Set for a key that was offered to its person when another person left: no secret opens it. Its person takes it by rotate, in a session, or revokes it. Null for all other keys.',
      },
    ),
  ),
  createdAt: timestamp('When the key was created.'),
}

export const keyData = Type.Object(fields, { ...closed, title: 'Key' })
export type KeyData = Static<typeof keyData>

export const newKeyData = Type.Object(
  {
    ...fields,
    key: Type.String({
      maxLength: 64,
      description: 'The key itself. Shown only in this answer; the service stores a hash.',
    }),
  },
  { ...closed, title: 'NewKey' },
)
export type NewKeyData = Static<typeof newKeyData>

export const revokeKeyQuery = Type.Object(
  {
    withMinted: Type.Optional(
      Type.Boolean({
        description:
          'Revokes every key that this one made too, and the keys that those made. The key may be revoked already.',
      }),
    ),
  },
  closed,
)

export const revokedKeyData = Type.Object(
  {
    id: uuid('The id of the key.'),
    minted: Type.Array(uuid('The id of a key that it made.'), {
      maxItems: 1_000,
      description: 'The keys that were revoked with it; of more than 1,000, the first.',
    }),
  },
  { ...closed, title: 'RevokedKey' },
)
export type RevokedKeyData = Static<typeof revokedKeyData>
