// The identities of a person: add one at a provider, list, remove. Only people in a session handle their own.

import type { IdentityData } from '../../../schemas/identities.js'
import { isTaken } from '../../catalog/database/database.js'
import type { ProviderPerson } from '../../catalog/identity/provider-person.js'
import type { Session } from '../../catalog/people/sessions.js'
import { ServiceError } from '../../model/errors.js'
import type { Call } from '../context/call.js'
import type { RequestOrigin } from '../context/request-context.js'
import { recordAudit } from '../context/audit.js'
import type { ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { personOfSession } from '../people/account.js'

/** Adds an identity to the account of a session's person. Throws `identity_taken` if it is another person's. */
export async function addIdentity(
  services: Pick<Services, 'catalog' | 'newId'>,
  { id, userId, workspaceId, label }: Session & { userId: string },
  { issuer, subject, ...found }: ProviderPerson,
  from?: RequestOrigin,
): Promise<void> {
  const { identities } = services.catalog
  const email = found.email ?? null
  const added = { id: services.newId(), issuer, subject, userId, email }
  try {
    await identities.add(added)
  } catch (error) {
    if (!isTaken(error)) throw error
    const other = identities.find(issuer, subject)
    if (other?.userId === userId) {
      await identities.own(other.id)
      return await identities.use(other.id, email)
    }
    throw new ServiceError(
      'identity_taken',
      'This identity belongs to another person here: sign in with it, remove it from that profile, and add it again.',
    )
  }
  await services.catalog.audit.record({
    workspaceId,
    actor: { kind: 'session', id, userId },
    action: 'identity.add',
    target: `identity ${added.id}`,
    details: { issuer },
    personal: { name: label, ...from },
  })
}

/** Lists the caller's own identities; none for keys and agents. */
export async function listIdentities(call: Call<'catalog' | 'providers'>): Promise<Result<IdentityData[]>> {
  const { catalog, providers } = call
  const userId = ownIdOf(call)
  const identities = userId === undefined ? [] : await catalog.identities.listOf(userId)
  const data = identities.map(({ id, issuer, email, createdAt, lastUsedAt, loan }) => {
    const provider = providers.find(({ settings }) => settings.issuer === issuer)
    const provided = { issuer, provider: provider?.settings.name ?? null, email }
    return { id, ...provided, isBorrowed: loan !== null, createdAt, lastUsedAt }
  })
  return { data, nextCursor: null }
}

/** Removes one of the caller's own identities. Throws `identity_not_found` and `last_way_in`. */
export async function removeIdentity(call: Call<'catalog'>, { id }: ResourceId): Promise<Result<{ id: string }>> {
  const { identities } = call.catalog
  const userId = ownIdOf(call)
  const own = userId === undefined ? [] : await identities.listOf(userId)
  const identity = own.find((one) => one.id === id.toLowerCase())
  if (userId === undefined || identity === undefined)
    throw new ServiceError('identity_not_found', 'You have no such identity: GET /me/identities lists yours.')
  if (!(await identities.remove(userId, identity.id)))
    throw new ServiceError(
      'last_way_in',
      'This is the last way in that you have: add a passkey or another identity first.',
    )
  const { issuer } = identity
  await recordAudit(call, {
    action: 'identity.remove',
    target: `identity ${identity.id}`,
    details: { issuer },
  })
  return { data: { id: identity.id } }
}

function ownIdOf(call: Call): string | undefined {
  const { kind, person } = call.principal
  return kind === 'session' && person !== undefined ? personOfSession(call).id : undefined
}
