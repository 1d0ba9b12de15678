// The steps of a game: each makes one random call about people, and returns whose rights it may give at most. Most calls are refused, as they
// are made by anybody against anybody.

import assert from 'node:assert/strict'
import { ServiceError } from '../../../../src/model/errors.js'
import type { ClaimedRole } from '../../../../src/catalog/identity/provider-settings.js'
import { acceptInvitation } from '../../../../src/usecases/people/accept-invitation.js'
import { signIn } from '../../../../src/usecases/sign-in/sign-in-link.js'
import { connectAgent } from '../../../../src/usecases/agents/connect-agent.js'
import { admit } from '../../../../src/usecases/sign-in/admit.js'
import { type Atoms, both, NOTHING, union } from './atoms.js'
import type { Random } from './random.js'
import type { Credential, Table } from './table.js'

export interface Call {
  table: Table
  random: Random
  /** The name of a provider. */
  issuer: string
  /** Sends a request of the API. Returns the answer's data; undefined for a refusal. */
  send(by: Credential, method: string, path: string, body?: object): Promise<Data | undefined>
  pass: (days: number) => void
}

interface Data {
  id?: string
  key?: string
  url?: string
}

/** The outcome of a step: who acted, and the rights that may come of it at most. `undefined`: nothing was done. */
export type Outcome = { done: string; allowed: Atoms } | undefined

type Step = (call: Call) => Promise<Outcome>

const ROLES = ['viewer', 'author', 'editor', 'admin', 'owner'] as const
const SCOPES = ['read', 'propose', 'write', 'admin'] as const

function anyActor({ table, random }: Call): Credential {
  return random.of(table.credentials.filter(({ kind }) => kind !== 'agent'))
}

function anybody({ table, random }: Call): string {
  return random.of([...table.people.values()])
}

function anySites({ table, random }: Call): { sites?: string[] | null } {
  if (random.chance(0.5)) return {}
  return { sites: random.chance(0.3) ? null : [random.of(table.siteIds)] }
}

/** Sends a request of a random caller; what comes of it is at most what the caller may do. */
async function ask(
  call: Call,
  method: string,
  path: string,
  body?: object,
): Promise<NonNullable<Outcome> & { data?: Data }> {
  const by = anyActor(call)
  const allowed = await call.table.atomsOf(by)
  const data = await call.send(by, method, path, body)
  const done = `${by.name}: ${method} ${path} ${JSON.stringify(body ?? {})}${data === undefined ? ' (refused)' : ''}`
  return { done, allowed, ...(data && { data }) }
}

const changeMember: Step = async (call) => {
  const role = call.random.chance(0.3) ? null : call.random.of(ROLES)
  return await ask(call, 'PATCH', `/members/${anybody(call)}`, { role, ...(role !== null && anySites(call)) })
}

const removeMember: Step = async (call) => {
  const query = call.random.chance(0.6) ? `?handTo=${anybody(call)}` : ''
  return await ask(call, 'DELETE', `/members/${anybody(call)}${query}`)
}

const endSessionsOfMember: Step = async (call) => await ask(call, 'DELETE', `/members/${anybody(call)}/sessions`)

const createInvitation: Step = async (call) => {
  const by = anyActor(call)
  const held = await call.table.atomsOf(by)
  const body = { role: call.random.of(ROLES), ...anySites(call) }
  const made = await call.send(by, 'POST', '/invitations', body)
  const token = made?.url?.split('#')[1]
  if (token !== undefined && made?.id !== undefined) call.table.invitations.push({ token, id: made.id, by, held })
  return {
    done: `${by.name} invites ${JSON.stringify(body)}${made === undefined ? ' (refused)' : ''}`,
    allowed: NOTHING,
  }
}

/** Anybody who is there takes an invitation, or a new person. */
const takeInvitation: Step = async (call) => {
  const { table, random } = call
  const invited = table.invitations[random.below(table.invitations.length)]
  if (invited === undefined) return undefined
  const allowed = both(invited.held, await table.atomsOfMaker(invited.by))
  const holder = random.of([...table.people.keys()])
  const taker = random.chance(0.3) ? { name: 'New person' } : { userId: table.people.get(holder) ?? '' }
  const own = 'userId' in taker ? table.atomsOfPerson(taker.userId) : NOTHING
  const taken = await orRefused(acceptInvitation(table.services, { token: invited.token, ...taker }))
  const done = `${holder} takes the invitation of ${invited.by.name}${taken === undefined ? ' (refused)' : ''}`
  if (taken === undefined) return { done, allowed }
  const player = 'name' in taker ? `player ${table.people.size}` : holder
  table.people.set(player, taken.userId)
  await table.signIn(player, taken.userId)
  return { done, allowed: union(allowed, own, new Set([`as ${taken.userId}`])) }
}

const revokeInvitation: Step = async (call) => {
  const invited = call.table.invitations[call.random.below(call.table.invitations.length)]
  return invited && (await ask(call, 'DELETE', `/invitations/${invited.id}`))
}

const makeMemberLink: Step = async (call) => {
  const by = anyActor(call)
  const userId = anybody(call)
  const made = await call.send(by, 'POST', `/members/${userId}/sign-in-link`)
  const token = made?.url?.split('#')[1]
  if (token !== undefined) call.table.links.push({ token, userId, by })
  return { done: `${by.name} makes a link for ${userId}${made === undefined ? ' (refused)' : ''}`, allowed: NOTHING }
}

/** The maker of a link opens it. Only owners act in the name of others. */
const openLink: Step = async ({ table, random }) => {
  const link = table.links[random.below(table.links.length)]
  if (link === undefined) return undefined
  const maker = await table.atomsOfMaker(link.by)
  const allowed = union(maker, maker.has('owner') ? new Set([`as ${link.userId}`]) : NOTHING)
  const begun = await orRefused(signIn(table.services, link.token, {}))
  if (begun !== undefined) table.keep('session', begun.secret, link.by.holder, link.userId)
  return { done: `${link.by.holder} opens a link as ${link.userId}${begun === undefined ? ' (refused)' : ''}`, allowed }
}

const createKey: Step = async (call) => {
  const by = anyActor(call)
  const allowed = await call.table.atomsOf(by)
  const personal = call.random.chance(0.6)
  const body = { label: 'k', scopes: [call.random.of(SCOPES)], ...anySites(call), ...(personal && { personal }) }
  const made = await call.send(by, 'POST', '/keys', body)
  if (made?.key !== undefined) call.table.keep('key', made.key, by.holder)
  return { done: `${by.name} makes a key ${JSON.stringify(body)}${made === undefined ? ' (refused)' : ''}`, allowed }
}

/** Rotates any key, and takes any key that is offered. */
const rotateKey: Step = async (call) => {
  const key = await anyKey(call)
  if (key === undefined) return undefined
  const by = anyActor(call)
  const allowed = await call.table.atomsOf(by)
  const made = await call.send(by, 'POST', `/keys/${key.id}/rotate`, { overlapSeconds: 0 })
  if (made?.key !== undefined) call.table.keep('key', made.key, by.holder)
  const what = key.offer === null ? 'rotates a key' : 'takes an offered key'
  return { done: `${by.name} ${what}${made === undefined ? ' (refused)' : ''}`, allowed }
}

/** Somebody makes an own key, and somebody removes that person and hands the key to another. */
const handOver: Step = async (call) => {
  const { table, random } = call
  const leaving = random.of(table.credentials.filter(({ kind }) => kind === 'session'))
  const userId = table.principalOf(leaving)?.person?.id
  const by = anyActor(call)
  const allowed = union(await table.atomsOf(leaving), await table.atomsOf(by))
  const body = { label: 'k', scopes: [random.of(SCOPES)], personal: true }
  const made = userId === undefined ? undefined : await call.send(leaving, 'POST', '/keys', body)
  if (made?.key === undefined || userId === undefined) return undefined
  table.keep('key', made.key, leaving.holder)
  const heir = anybody(call)
  const removed = await call.send(by, 'DELETE', `/members/${userId}?handTo=${heir}`)
  const done = `${by.name} removes ${leaving.name}, and hands a key to ${heir}${removed === undefined ? ' (refused)' : ''}`
  return { done, allowed }
}

/** The person to whom a key is offered takes it. */
const takeOffer: Step = async (call) => {
  const { table } = call
  const keys = await table.services.catalog.keys.list(table.workspaceId)
  const offer = keys.find((key) => key.offer !== null)
  const by = table.credentials.find(
    (one) => one.kind === 'session' && table.principalOf(one)?.person?.id === offer?.userId,
  )
  if (offer === undefined || by === undefined) return undefined
  const allowed = await table.atomsOf(by)
  const made = await call.send(by, 'POST', `/keys/${offer.id}/rotate`, {})
  if (made?.key !== undefined) table.keep('key', made.key, by.holder)
  return { done: `${by.name} takes its offered key${made === undefined ? ' (refused)' : ''}`, allowed }
}

const revokeKey: Step = async (call) => {
  const key = await anyKey(call)
  return key && (await ask(call, 'DELETE', `/keys/${key.id}`))
}

const connect: Step = async ({ table, random }) => {
  const by = random.of(table.credentials.filter(({ kind }) => kind === 'session'))
  const principal = table.principalOf(by)
  if (principal === undefined) return undefined
  const scope = random.of(['read', 'propose', 'write'] as const)
  const asked = { clientId: 'a', clientName: 'A', provenHost: 'a.example', resource: 'x', scope }
  const choice = { workspaceId: table.workspaceId, scope, sites: null, expiresInDays: 30 }
  const allowed = await table.atomsOf(by)
  const given = await orRefused(connectAgent({ ...table.services, principal }, asked, choice))
  if (given !== undefined) table.keep('agent', given.agentId, by.holder)
  return { done: `${by.name} connects an agent${given === undefined ? ' (refused)' : ''}`, allowed }
}

const disconnectAgent: Step = async (call) => {
  const agents = call.table.credentials.filter(({ kind }) => kind === 'agent')
  return agents.length === 0 ? undefined : await ask(call, 'DELETE', `/agents/${call.random.of(agents).secret}`)
}

const putMailDomain: Step = async (call) => {
  const body = {
    issuer: call.issuer,
    domain: 'corp.example',
    role: call.random.of(ROLES.slice(0, 4)),
    ...anySites(call),
  }
  const outcome = await ask(call, 'PUT', '/mail-domains', body)
  // Rights that the domain gives later are checked then. An owner may give them.
  if (outcome.data !== undefined) assert.ok(outcome.allowed.has('owner'), outcome.done)
  return outcome
}

const removeMailDomain: Step = async (call) =>
  await ask(call, 'DELETE', `/mail-domains?issuer=${encodeURIComponent(call.issuer)}&domain=corp.example`)

/** A player signs in at a provider, whose claims give a role. The operator wrote which; an owner let the mail domain join. */
const signInAtProvider: Step = async ({ table, random, issuer }) => {
  const { catalog, newId } = table.services
  const [holder, userId] = random.of([...table.people])
  if (catalog.identities.find(issuer, userId) === undefined)
    await catalog.identities.add({ id: newId(), issuer, subject: userId, userId, email: null })
  const roles: ClaimedRole[] = random.chance(0.5)
    ? []
    : [
        {
          workspace: table.workspaceId,
          role: random.of(ROLES.slice(0, 4)),
          sites: random.chance(0.5) ? null : [random.of(table.siteIds)],
        },
      ]
  const member = (await catalog.members.list(table.workspaceId)).find((one) => one.userId === userId)
  const isSetByHand = member?.sources.some(({ source }) => source === 'hand') === true
  const domains = await catalog.mailDomains.list(table.workspaceId)
  const given = [...roles, ...domains, ...(member?.sources ?? [])].map((rights) => table.places.ofRole(rights))
  const found = {
    issuer,
    subject: userId,
    name: holder,
    email: 'x@corp.example',
    session: undefined,
    provenAt: undefined,
    roles,
  }
  const own = union(table.atomsOfPerson(userId), new Set([`as ${userId}`]))
  const admitted = await orRefused(admit(table.services, found))
  if (admitted !== undefined) await table.signIn(holder, userId)
  return {
    done: `${holder} signs in at the provider, with ${JSON.stringify(roles)}${admitted === undefined ? ' (refused)' : ''}`,
    // The role set by hand counts before all others.
    allowed: isSetByHand ? own : union(...given, own),
  }
}

/** Somebody who has a passkey comes back. */
const comeBack: Step = async ({ table, random }) => {
  const [holder, userId] = random.of([...table.people])
  await table.signIn(holder, userId)
  return { done: `${holder} signs in`, allowed: union(table.atomsOfPerson(userId), new Set([`as ${userId}`])) }
}

const rename: Step = async (call) => await ask(call, 'PATCH', '/me', { name: 'Renamed' })

const endSessions: Step = async (call) => await ask(call, 'DELETE', '/me/sessions?others=true')

/** Time ends sessions, invitations and claims. Where claims end, what other sources gave counts again. */
const wait: Step = async ({ table, random, pass }) => {
  const members = await table.services.catalog.members.list(table.workspaceId)
  const sources = members.flatMap((member) =>
    member.sources.some(({ source }) => source === 'hand') ? [] : member.sources,
  )
  const days = 1 + random.below(5)
  pass(days)
  return { done: `${days} days pass`, allowed: union(...sources.map((rights) => table.places.ofRole(rights))) }
}

async function anyKey({ table, random }: Call) {
  const keys = await table.services.catalog.keys.list(table.workspaceId)
  return keys.length === 0 ? undefined : random.of(keys.slice(-12))
}

async function orRefused<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

/** The steps by the operations of the API that they send; those that are no routes have a name with spaces. */
export const STEPS: Readonly<Record<string, Step>> = {
  changeMember,
  removeMember,
  endSessionsOfMember,
  createInvitation,
  revokeInvitation,
  makeMemberLink,
  createKey,
  rotateKey,
  revokeKey,
  disconnectAgent,
  putMailDomain,
  removeMailDomain,
  renameMe: rename,
  endSessions,
  'take an invitation': takeInvitation,
  'open a sign-in link': openLink,
  'hand a key over': handOver,
  'take an offered key': takeOffer,
  'connect an agent': connect,
  'sign in at a provider': signInAtProvider,
  'come back': comeBack,
  wait,
}
