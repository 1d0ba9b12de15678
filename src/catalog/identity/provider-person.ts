// Reads the claims of a person whom an identity provider has checked.

import { lowerAscii } from '../../model/ascii-case.js'
import { MAX_LABEL_CHARACTERS } from '../../model/label.js'
import { untrusted } from './provider-errors.js'
import type { ClaimedRole, ProviderSettings } from './provider-settings.js'

export type Claims = Readonly<Record<string, unknown>> & { sub: string }

export interface ProviderPerson {
  issuer: string
  subject: string
  /** Fit for commits. */
  name: string
  /** A to Z in lower case; undefined unless the provider verified it, or its addresses are trusted. */
  email: string | undefined
  /** The provider's own session, which it can end. */
  session: string | undefined
  /** When the person proved who they are, in seconds since the epoch; undefined if the provider does not say. */
  provenAt: number | undefined
  /** The rights that the claims give. */
  roles: readonly ClaimedRole[]
}

const MAX_SUBJECT_CHARACTERS = 255
const MAX_SESSION_CHARACTERS = 1_024
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,189}$/
/** Control characters and those that reorder text. */
const UNFIT = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu

/** The documents by which the provider tells who the person is. */
interface Documents {
  idToken: Claims
  userinfo?: Readonly<Record<string, unknown>>
}

/** The ID token counts before the userinfo. Throws `sign_in_refused` for a subject that OpenID Connect does not allow. */
export function readPerson({ idToken, userinfo = {} }: Documents, settings: ProviderSettings): ProviderPerson {
  const claims = { ...userinfo, ...idToken }
  const { sub: subject, sid, auth_time: provenAt } = claims
  if (subject === '' || subject.length > MAX_SUBJECT_CHARACTERS)
    throw untrusted(settings.name, `its subject has ${subject.length} characters`)
  const email = emailIn([idToken, userinfo], settings)
  return {
    issuer: settings.issuer,
    subject,
    email,
    name: nameIn(claims) ?? email ?? 'Somebody',
    provenAt: typeof provenAt === 'number' ? provenAt : undefined,
    session: typeof sid === 'string' && sid.length <= MAX_SESSION_CHARACTERS ? sid : undefined,
    roles: valuesIn(claims, settings.roleClaim).flatMap((value) =>
      Object.hasOwn(settings.roles, value) ? (settings.roles[value] ?? []) : [],
    ),
  }
}

/** Takes the address from the first document that says itself that it is verified. A document that denies it refuses every address. */
function emailIn(
  documents: readonly Readonly<Record<string, unknown>>[],
  { trustEmail }: ProviderSettings,
): string | undefined {
  // Some providers send the boolean as text.
  if (documents.some(({ email_verified: said }) => said === false || said === 'false')) return undefined
  const addresses = documents
    .filter(({ email_verified: said }) => said === true || said === 'true' || (trustEmail && said === undefined))
    .flatMap(({ email }) => (typeof email === 'string' && EMAIL.test(email) ? [lowerAscii(email)] : []))
  return addresses[0]
}

function nameIn(claims: Claims): string | undefined {
  const names = ['name', 'preferred_username', 'nickname'].map((field) => fitName(claims[field]))
  return names.find((name) => name !== undefined)
}

function fitName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const name = value.toWellFormed().replace(UNFIT, '').trim()
  return name === '' ? undefined : Array.from(name).slice(0, MAX_LABEL_CHARACTERS).join('').trim()
}

/** Returns the texts of a claim. A name with dots may lead into objects, unless a claim has exactly that name. */
function valuesIn(claims: Claims, name: string | undefined): string[] {
  if (name === undefined) return []
  const value = Object.hasOwn(claims, name)
    ? claims[name]
    : name.split('.').reduce<unknown>((inner, part) => fieldOf(inner, part), claims)
  return [value].flat().filter((text) => typeof text === 'string')
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}
