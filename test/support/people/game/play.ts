// A game about rights: two owners, an admin, an admin of one site, an editor and a key make every call about people against each other, in a
// random order. One rule holds after each call: nobody has got a right, or another's name, that whoever acted did not have.

import assert from 'node:assert/strict'
import { mintTestKey } from '../../mint-key.js'
import type { TestService } from '../../service.js'
import { type Atoms, NOTHING, without } from './atoms.js'
import { Random } from './random.js'
import { type Call, STEPS } from './steps.js'
import { Table } from './table.js'

/** How often each step was done and not refused. */
export type Tally = Map<string, number>

export interface Room {
  service: TestService
  siteIds: readonly string[]
  issuer: string
  pass: (days: number) => void
}

/** Plays one order. Throws with the seed and all steps if a right came from nobody. */
export async function play(room: Room, seed: number, tally: Tally): Promise<void> {
  const random = new Random(seed)
  const table = await seatPlayers(room, random)
  const call: Call = { table, random, issuer: room.issuer, send: senderOf(room), pass: room.pass }
  const log: string[] = []
  for (const name of random.shuffled(Object.keys(STEPS))) {
    const before = await table.look()
    const outcome = await STEPS[name]?.(call)
    if (outcome === undefined) continue
    log.push(outcome.done)
    if (!outcome.done.endsWith('(refused)')) tally.set(name, (tally.get(name) ?? 0) + 1)
    assert.deepEqual(
      gainsFromNobody(table, before, await table.look(), outcome.allowed),
      [],
      `seed ${seed}:\n${log.join('\n')}`,
    )
  }
  await clear(room, table)
}

/** Lists who got what nobody gave. Whoever comes back acts under the own name again. */
function gainsFromNobody(
  table: Table,
  before: ReadonlyMap<string, Atoms>,
  after: ReadonlyMap<string, Atoms>,
  allowed: Atoms,
): string[] {
  return [...after].flatMap(([name, atoms]) => {
    const holder = table.credentials.find((credential) => credential.name === name)?.holder ?? ''
    const own = new Set([`as ${table.people.get(holder)}`])
    const gained = without(new Set(without(atoms, before.get(name) ?? NOTHING)), allowed)
    return without(new Set(gained), own).map((atom) => `${name} got "${atom}"`)
  })
}

async function seatPlayers({ service, siteIds }: Room, random: Random): Promise<Table> {
  const { services } = service.server.service
  const table = new Table(services, service.workspaceId, siteIds)
  const source = () => random.of(['hand', 'invitation', 'link'])
  const one = siteIds.slice(0, 1)
  await table.seat('Owner 1', [{ role: 'owner', sites: null, source: source() }])
  await table.seat('Owner 2', [{ role: 'owner', sites: null, source: source() }])
  await table.seat('Admin', [{ role: 'admin', sites: null, source: source() }])
  // The limit was set by hand: the invitation gave more.
  await table.seat('Limited admin', [
    { role: 'admin', sites: null, source: 'invitation' },
    { role: 'admin', sites: one, source: 'hand' },
  ])
  await table.seat('Editor', [{ role: 'editor', sites: random.chance(0.5) ? null : one, source: source() }])
  const { key } = await mintTestKey(services, { scopes: ['admin'], workspaceId: service.workspaceId })
  table.keep('key', key, 'Program')
  return table
}

function senderOf({ service }: Room): Call['send'] {
  return async ({ kind, secret }, method, path, body) => {
    const who = kind === 'key' ? { Authorization: `Bearer ${secret}` } : { Cookie: `session=${secret}` }
    const answer = await fetch(`${service.origin}/api/v1${path}`, {
      method,
      headers: {
        ...who,
        'Sec-Fetch-Site': 'same-origin',
        'x-service-account-id': service.workspaceId,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    assert.ok(answer.status < 500, `${method} ${path}: ${answer.status} ${text}`)
    return answer.ok ? (JSON.parse(text) as { data: object }).data : undefined
  }
}

/** Ends what the game has left, so that the next one begins alone. */
async function clear({ service, issuer }: Room, table: Table): Promise<void> {
  const { catalog } = service.server.service.services
  const { workspaceId } = table
  const last = new Table(service.server.service.services, workspaceId, table.siteIds)
  const keeper = await last.seat('Keeper', [{ role: 'owner', sites: null, source: 'link' }])
  for (const { userId } of await catalog.members.list(workspaceId))
    if (userId !== keeper) await catalog.members.take(workspaceId, userId)
  for (const { id } of await catalog.keys.list(workspaceId)) await catalog.keys.revoke(workspaceId, id)
  for (const { id } of await catalog.invitations.list(workspaceId)) await catalog.invitations.revoke(workspaceId, id)
  await catalog.mailDomains.remove(workspaceId, issuer, 'corp.example')
}
