// The callers of the test of rights: every kind of key, session and agent, each unlimited and limited to one site.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { hashKey } from '../../../src/model/key-format.js'
import { ROLES, type Role } from '../../../src/model/rights/roles.js'
import type { Scope } from '../../../src/model/rights/scopes.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import type { TestService } from '../../support/service.js'
import { agentsOf, registerAgents, type RegisteredAgent } from './agents.js'
import { bearer, type CallerWithFields } from './caller-with-fields.js'

const KEY_SCOPES: readonly (readonly Scope[])[] = [['read'], ['propose'], ['write'], ['sites'], ['admin']]

/** Makes the callers. `ownSite` is the only site of the limited ones. */
export async function makeCallers(service: TestService, ownSite: string): Promise<CallerWithFields[]> {
  // The last owner cannot be given another role.
  await signInAs(service, 'owner')
  const agents = await registerAgents(service)
  const callers: CallerWithFields[] = [
    { name: 'nobody', means: 'nothing', isLimited: false, fields: {} },
    { name: 'a revoked key', means: 'nothing', isLimited: false, fields: bearer(`pal_${'0'.repeat(36)}`) },
    await unnamedOwner(service),
  ]
  for (const isLimited of [false, true]) {
    const sites = isLimited ? [ownSite] : null
    for (const scopes of KEY_SCOPES) {
      const { key } = await service.mint({ scopes: [...scopes], ...(sites && { sites }) })
      callers.push({ name: `a key with ${scopes[0]}`, means: 'key', scopes, isLimited, fields: bearer(key) })
    }
    for (const role of ROLES)
      if (role !== 'owner' || !isLimited) callers.push(...(await peopleOf(service, agents, role, sites)))
  }
  return callers
}

/** A session of a person; and the person's keys and agents from the time as an owner, before the role was changed to this one. */
async function peopleOf(
  service: TestService,
  agents: readonly RegisteredAgent[],
  role: Role,
  sites: readonly string[] | null,
): Promise<CallerWithFields[]> {
  const isLimited = sites !== null
  const person = await signInAs(service, 'owner', { name: role })
  const keys: CallerWithFields[] = []
  for (const scopes of KEY_SCOPES) {
    const made = await person.send('post', '/keys').send({ label: role, scopes, personal: true }).expect(201)
    const { key } = (made.body as { data: { key: string } }).data
    keys.push({
      name: `the key of the ${role} with ${scopes[0]}`,
      means: 'key',
      scopes,
      role,
      isLimited,
      fields: bearer(key),
    })
  }
  const connected = await agentsOf(service, person, agents, { role, isLimited })
  const { members } = service.server.service.services.catalog
  assert.ok(await members.setByHand(service.workspaceId, person.userId, { role, sites }))
  const fields = { Cookie: person.cookie, 'Sec-Fetch-Site': 'same-origin' }
  return [{ name: `a session of the ${role}`, means: 'session', role, isLimited, fields }, ...keys, ...connected]
}

/** A session that began before people had accounts. */
async function unnamedOwner(service: TestService): Promise<CallerWithFields> {
  const secret = randomUUID()
  const times = { createdAt: '2026-01-01T00:00:00Z', expiresAt: '2999-01-01T00:00:00Z' }
  const session = {
    id: randomUUID(),
    hash: hashKey(secret),
    workspaceId: service.workspaceId,
    label: 'Owner',
    ...times,
  }
  await service.server.service.services.catalog.sessions.create(session)
  const fields = { Cookie: `session=${secret}`, 'Sec-Fetch-Site': 'same-origin' }
  return { name: 'a session of an unnamed owner', means: 'session', isLimited: false, fields }
}
