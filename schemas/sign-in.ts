// Signing in and out by a browser: with a link, a passkey or an invitation, or at one of the providers.

import { type Static, Type } from 'typebox'
import { LABEL_PATTERN, MAX_LABEL_CHARACTERS } from '../src/model/label.js'
import { MAX_KEY_SITES } from '../src/model/limits.js'
import { ROLES } from '../src/model/rights/roles.js'
import { base64url, host } from './account.js'
import { url } from './answer-texts.js'
import { closed, nullable, timestamp, uuid } from './common.js'
import { MAX_EMAIL_CHARACTERS } from './invitations.js'

const token = (what: string) => Type.String({ maxLength: 255, description: `The text after the # of the ${what}.` })
const text = (maxLength: number, description: string) => Type.String({ maxLength, description })
const email = text(MAX_EMAIL_CHARACTERS, 'The verified address of the person.')

export const signInBody = Type.Object({ token: token('sign-in link') }, { ...closed, title: 'SignIn' })

export const begunSessionData = Type.Object(
  {
    label: text(MAX_LABEL_CHARACTERS, 'The name of the person.'),
    workspaceId: uuid('The workspace that requests mean if they name none.'),
    expiresAt: timestamp('When the session ends.'),
  },
  { ...closed, title: 'BegunSession' },
)
export type BegunSessionData = Static<typeof begunSessionData>

export const signOutQuery = Type.Object(
  { everywhere: Type.Optional(Type.Boolean({ description: 'Ends all sessions of the person.' })) },
  closed,
)

export const signedOutData = Type.Object(
  {
    endSessionUrl: Type.Optional(text(16_384, 'Where the browser ends the session of the identity provider too.')),
  },
  { ...closed, title: 'SignedOut' },
)

const signInProblem = Type.Object(
  {
    code: text(64, 'A code of docs/errors.md.'),
    message: text(4_096, 'Says what to do.'),
    name: Type.Optional(text(1_024, 'The person, as the provider says.')),
    email: Type.Optional(email),
    isSignedIn: Type.Optional(Type.Boolean({ description: 'Whether the browser has a session all the same.' })),
  },
  { ...closed, title: 'SignInProblem', description: 'Why the last sign-in of this browser at a provider failed.' },
)
export type SignInProblem = Static<typeof signInProblem>

export const signInProvidersData = Type.Object(
  {
    providers: Type.Array(
      Type.Object(
        {
          id: text(32, 'Its name in URLs.'),
          name: text(255, 'Its name for people.'),
          issuer: text(2_048, 'Its URL.'),
        },
        closed,
      ),
      { maxItems: 100 },
    ),
    problem: Type.Optional(signInProblem),
  },
  { ...closed, title: 'SignInProviders' },
)
export type SignInProvidersData = Static<typeof signInProvidersData>

export const passkeyQuestionData = Type.Object(
  {
    challenge: base64url(64, 'A question that one passkey answers once, within 5 minutes.'),
    rpId: host,
    formerHosts: Type.Array(text(255, 'A former host of this service: passkeys made for it do not work here.'), {
      maxItems: 3,
    }),
  },
  { ...closed, title: 'PasskeyQuestion' },
)
export type PasskeyQuestionData = Static<typeof passkeyQuestionData>

export const provenData = Type.Object({}, { ...closed, title: 'Proven' })

export const readInvitationBody = Type.Object({ token: token('invitation') }, { ...closed, title: 'ReadInvitation' })

export const invitationViewData = Type.Object(
  {
    workspace: text(MAX_LABEL_CHARACTERS, 'The name of the workspace.'),
    role: Type.Enum([...ROLES]),
    sites: nullable(
      Type.Array(text(63, 'The slug of a site.'), {
        maxItems: MAX_KEY_SITES,
        description: 'The only sites; null: all.',
      }),
    ),
    site: nullable(
      Type.Object(
        { name: text(MAX_LABEL_CHARACTERS, 'What people call it.'), url: url() },
        { ...closed, description: 'The site, if the invitation is for one.' },
      ),
    ),
    invitedBy: text(MAX_LABEL_CHARACTERS, 'The name of the inviter.'),
    email: nullable(
      text(MAX_EMAIL_CHARACTERS, 'The only verified address that may take it; null: anybody with the link.'),
    ),
    expiresAt: timestamp('When it expires.'),
  },
  { ...closed, title: 'InvitationView' },
)
export type InvitationView = Static<typeof invitationViewData>

export const acceptInvitationBody = Type.Object(
  {
    token: token('invitation'),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_LABEL_CHARACTERS,
        pattern: LABEL_PATTERN,
        description: 'The name of a new person. Left out by somebody who is signed in.',
      }),
    ),
  },
  { ...closed, title: 'AcceptInvitation' },
)

export const joinedData = Type.Object(
  { workspaceId: uuid('The workspace of which the person is a member now.') },
  { ...closed, title: 'Joined' },
)
