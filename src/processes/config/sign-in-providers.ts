// Reads SIGN_IN_PROVIDERS: a JSON array with one object for each identity provider. Messages never repeat a value: it may be a secret.

import type { ClaimedRole, ProviderSettings } from '../../catalog/identity/provider-settings.js'
import { isRole } from '../../model/rights/roles.js'
import { isSafeUrl } from './safe-url.js'
import type { Environment } from './schema.js'

type Fields = Readonly<Record<string, unknown>>

const DEFAULT_SCOPES = 'openid email profile'
const KNOWN = ['id', 'name', 'issuer', 'clientId', 'clientSecret', 'scopes', 'trustEmail', 'roleClaim', 'roles']
const KNOWN_OF_ROLE = ['workspace', 'role', 'sites']
const ID = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/

/** Returns the providers. The setting must have passed `checkProviders`. */
export function providersOf({ SIGN_IN_PROVIDERS: text }: Environment): ProviderSettings[] {
  return text === undefined ? [] : (JSON.parse(text) as Fields[]).map(toSettings)
}

/** Lists problems, one line each. */
export function checkProviders({ SIGN_IN_PROVIDERS: text }: Environment): string[] {
  if (text === undefined) return []
  const list = parse(text)
  if (!Array.isArray(list) || !list.every(isObject))
    return [
      'SIGN_IN_PROVIDERS must be a JSON array of objects: [{"id": "work", "issuer": "https://…", "clientId": "…"}]',
    ]
  const problems = list.flatMap((fields, index) =>
    problemsOf(fields).map((problem) => `SIGN_IN_PROVIDERS[${index}] ${problem}`),
  )
  for (const field of ['id', 'issuer'])
    if (new Set(list.map((fields) => fields[field])).size < list.length && problems.length === 0)
      problems.push(`SIGN_IN_PROVIDERS names one ${field} twice`)
  return problems
}

function problemsOf(fields: Fields): string[] {
  const { id, issuer, clientId, roleClaim, roles = {} } = fields
  const problems = unknownIn(fields, KNOWN)
  if (typeof id !== 'string' || !ID.test(id)) problems.push('needs an id of lower-case letters, digits and hyphens')
  if (!isText(issuer) || !isSafeUrl(issuer)) problems.push('needs an issuer: an https URL, or http on this machine')
  if (!isText(clientId)) problems.push('needs a clientId')
  for (const name of ['name', 'clientSecret', 'scopes', 'roleClaim'])
    if (fields[name] !== undefined && !isText(fields[name])) problems.push(`has a ${name} that is no text`)
  if (!['undefined', 'boolean'].includes(typeof fields['trustEmail']))
    problems.push('has a trustEmail that is neither true nor false')
  if (isText(fields['scopes']) && !fields['scopes'].split(' ').includes('openid'))
    problems.push('has scopes without openid')
  if (!isObject(roles)) return [...problems, 'has roles that are no object']
  if (Object.keys(roles).length > 0 && roleClaim === undefined) problems.push('has roles, and no roleClaim')
  return [...problems, ...Object.values(roles).flatMap(problemsOfRole)]
}

function problemsOfRole(role: unknown): string[] {
  if (!isObject(role)) return ['has a role that is no object such as {"role": "editor"}']
  const { workspace, role: name, sites } = role
  const problems = unknownIn(role, KNOWN_OF_ROLE)
  if (!isText(name) || !isRole(name))
    problems.push('has a role that is none of viewer, author, editor, admin and owner')
  if (workspace !== undefined && !isText(workspace)) problems.push('has a role whose workspace is no id')
  const isList = Array.isArray(sites) && sites.length > 0 && sites.every(isText)
  if (sites !== undefined && !isList) problems.push('has a role whose sites are no list of ids or slugs')
  if (name === 'owner' && sites !== undefined) problems.push('has an owner with sites: an owner has all')
  return problems
}

function toSettings(fields: Fields): ProviderSettings {
  const text = (name: string) => fields[name] as string | undefined
  const id = text('id') ?? ''
  return {
    id,
    name: text('name') ?? id,
    issuer: text('issuer') ?? '',
    clientId: text('clientId') ?? '',
    clientSecret: text('clientSecret'),
    scopes: text('scopes') ?? DEFAULT_SCOPES,
    trustEmail: fields['trustEmail'] === true,
    roleClaim: text('roleClaim'),
    roles: Object.fromEntries(
      Object.entries((fields['roles'] ?? {}) as Record<string, Partial<ClaimedRole>>).map(([value, role]) => [
        value,
        { workspace: role.workspace?.toLowerCase(), role: role.role ?? 'viewer', sites: role.sites ?? null },
      ]),
    ),
  }
}

function unknownIn(fields: Fields, known: readonly string[]): string[] {
  const unknown = Object.keys(fields).filter((name) => !known.includes(name))
  return unknown.length === 0 ? [] : [`has unknown fields; the known ones are ${known.join(', ')}`]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
