// The account of a signed-in person: name, passkeys and sessions. The words of WebAuthn are those of the standard.

import { type Static, Type } from 'typebox'
import { LABEL_PATTERN, MAX_LABEL_CHARACTERS } from '../src/model/label.js'
import { closed, nullable, timestamp, uuid } from './common.js'

/** The most passkeys that a person may have. */
export const MAX_PASSKEYS = 30

export const base64url = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+={0,2}$', description })

const name = (description: string) =>
  Type.String({ minLength: 1, maxLength: MAX_LABEL_CHARACTERS, pattern: LABEL_PATTERN, description })

export const renameMeBody = Type.Object(
  { name: name('The author that your commits name.') },
  { ...closed, title: 'RenameMe' },
)

export const accountData = Type.Object(
  { id: uuid("The person's id."), name: name('The author that commits name.') },
  { ...closed, title: 'Account' },
)
export type AccountData = Static<typeof accountData>

/** Shared by sessions, passkeys and identities. */
export const isBorrowed = Type.Boolean({
  description: "Whether it came of a link that an owner made: then it opens that owner's workspace alone.",
})

export const host = Type.String({ maxLength: 255, description: 'The host that it was made for: it works at no other.' })

export const passkeyData = Type.Object(
  {
    id: uuid('The id of the passkey.'),
    name: name('Your name for it.'),
    host,
    works: Type.Boolean({ description: 'Whether it works at the present address of the service.' }),
    isBorrowed,
    createdAt: timestamp('When it was added.'),
    lastUsedAt: nullable(timestamp('When it last signed in or proved who you are.')),
  },
  { ...closed, title: 'Passkey' },
)
export type PasskeyData = Static<typeof passkeyData>

export const passkeyOptionsData = Type.Object(
  {
    challenge: base64url(64, 'A question that one passkey answers once, within 5 minutes.'),
    rpId: host,
    user: Type.Object({ id: uuid("The person's id."), name: name('The name of the person.') }, closed),
    exclude: Type.Array(base64url(1_400, 'The credential id of a passkey that is there already.'), {
      maxItems: MAX_PASSKEYS,
    }),
  },
  { ...closed, title: 'PasskeyOptions' },
)
export type PasskeyOptionsData = Static<typeof passkeyOptionsData>

const clientDataJSON = base64url(4_096, 'As the browser answers it.')
const authenticatorData = base64url(8_192, 'As the browser answers it.')
const credentialId = base64url(1_400, 'The credential id.')

export const addPasskeyBody = Type.Object(
  {
    name: Type.Optional(name('Your name for it. Default: the name of the program that keeps it.')),
    credentialId,
    clientDataJSON,
    authenticatorData,
    publicKey: base64url(4_096, "The answer's `getPublicKey()`."),
    algorithm: Type.Union([Type.Literal(-7), Type.Literal(-257)], { description: 'ES256 or RS256.' }),
  },
  { ...closed, title: 'AddPasskey' },
)
export type AddPasskeyBody = Static<typeof addPasskeyBody>

/** The answer of a passkey to a challenge. */
export const passkeyAnswerBody = Type.Object(
  {
    credentialId,
    clientDataJSON,
    authenticatorData,
    signature: base64url(2_048, 'As the browser answers it.'),
    userHandle: base64url(128, 'As the browser answers it.'),
  },
  { ...closed, title: 'PasskeyAnswer' },
)
export type PasskeyAnswer = Static<typeof passkeyAnswerBody>

export const renamePasskeyBody = Type.Object({ name: name('Your name for it.') }, { ...closed, title: 'RenamePasskey' })

export const sessionData = Type.Object(
  {
    id: uuid('The id of the session.'),
    device: nullable(
      Type.String({ maxLength: 100, description: 'Browser and system.', examples: ['Firefox on Windows'] }),
    ),
    means: nullable(Type.Enum(['link', 'passkey', 'provider'], { description: 'The proof that began it.' })),
    isThis: Type.Boolean({ description: 'Whether it sent this request.' }),
    isNewDevice: Type.Boolean({ description: 'Whether older sessions exist, and all are of other devices.' }),
    isBorrowed,
    createdAt: timestamp('When it began.'),
    seenAt: nullable(timestamp('Its last use, to the hour.')),
    expiresAt: timestamp('When it ends.'),
  },
  { ...closed, title: 'Session' },
)
export type SessionData = Static<typeof sessionData>

export const endSessionsQuery = Type.Object(
  { others: Type.Optional(Type.Boolean({ description: 'Keeps the session that sends this.' })) },
  closed,
)

export const endedSessionsData = Type.Object(
  { id: uuid('The id of the person or the session.') },
  { ...closed, title: 'EndedSessions' },
)

export const memberLinkData = Type.Object(
  {
    url: Type.String({ maxLength: 2_300, description: 'Signs the member in, once. Only this answer holds it.' }),
    expiresAt: timestamp('When it ends.'),
  },
  { ...closed, title: 'MemberLink' },
)
export type MemberLinkData = Static<typeof memberLinkData>
