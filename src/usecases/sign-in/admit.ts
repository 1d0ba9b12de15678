// Decides whether somebody whom a provider knows may come in, and with which rights. The provider's claims are read anew at each
// sign-in, and change only the rights that they gave.

import { isDeepStrictEqual } from 'node:util'
import { isTaken } from '../../catalog/database/database.js'
import type { ProviderPerson } from '../../catalog/identity/provider-person.js'
import type { Identity } from '../../catalog/people/identities.js'
import type { Loan } from '../../catalog/people/loans.js'
import type { MailDomain } from '../../catalog/people/mail-domains.js'
import { ServiceError } from '../../model/errors.js'
import type { Rights } from '../../model/rights/roles.js'
import { isStillLent } from '../access/loans.js'
import { sessionExpiry } from './sessions.js'
import type { Services } from '../context/services.js'
import { claimedRights } from './claimed-rights.js'

type Parts = Pick<Services, 'catalog' | 'clock' | 'newId' | 'limits'>

/**
 * Returns the person and the workspace to open. `accept` takes an invitation, and returns its workspace. What the provider says about an
 * identity that an owner lent counts for nothing: it opens its workspace alone, and changes no rights. Throws `not_a_member`, and
 * `sign_in_refused` for a lent identity that opens nothing, or takes an invitation.
 */
export async function admit(
  services: Parts,
  found: ProviderPerson,
  accept?: (userId: string) => Promise<string>,
): Promise<{ userId: string; workspaceId: string; loan: Loan | null }> {
  const { catalog } = services
  const known = catalog.identities.find(found.issuer, found.subject)
  if (known?.loan != null) {
    const { loan, userId } = known
    const isMember = catalog.members.rightsOf(loan.workspaceId, userId) !== undefined
    if (!isMember || !isStillLent(catalog, loan) || accept !== undefined) throw lentIdentity()
    await catalog.identities.use(known.id, found.email ?? null)
    return { userId, workspaceId: loan.workspaceId, loan }
  }
  const claimed = await claimedRights(services, found)
  const domains = await joinable(services, found)
  // Nothing is stored about strangers.
  if (known === undefined && claimed.size === 0 && domains.length === 0 && accept === undefined) throw noMember(found)
  const { id, userId } = known ?? (await makePerson(services, found))
  await catalog.identities.use(id, found.email ?? null)
  await setClaimed(services, userId, found, claimed)
  // A workspace that the person did not choose is opened only if there is no other.
  const [own] = catalog.members.workspacesOf(userId)
  await join(services, userId, domains)
  const invitedTo = await accept?.(userId)
  const workspaceId = invitedTo ?? own ?? catalog.members.workspacesOf(userId)[0]
  if (workspaceId === undefined) throw noMember(found)
  return { userId, workspaceId, loan: null }
}

/** Told about identities of before: today a session that an owner lent adds none. */
export function lentIdentity(): ServiceError {
  return new ServiceError(
    'sign_in_refused',
    'This account may have been added by way of a link that an owner made: sign in another way, and add it again.',
  )
}

/** Makes a person with this identity, unless another request has just done so. */
async function makePerson(
  { catalog, newId }: Parts,
  { issuer, subject, name, email }: ProviderPerson,
): Promise<Pick<Identity, 'id' | 'userId'>> {
  const made = { id: newId(), issuer, subject, userId: newId(), email: email ?? null }
  try {
    await catalog.identities.add(made, name)
    return made
  } catch (error) {
    const other = isTaken(error) ? catalog.identities.find(issuer, subject) : undefined
    if (other === undefined) throw error
    return other
  }
}

/** Sets the rights that the claims give, until the session expires, and takes those that they gave before and give no longer. */
async function setClaimed(
  services: Parts,
  userId: string,
  { issuer }: ProviderPerson,
  claimed: ReadonlyMap<string, Rights>,
): Promise<void> {
  const { members } = services.catalog
  const source = `provider ${issuer}`
  const expiresAt = sessionExpiry(services)
  for (const workspaceId of new Set([...members.workspacesOf(userId), ...claimed.keys()])) {
    const rights = claimed.get(workspaceId)
    await recordChange(services, { workspaceId, userId, source }, async () => {
      if (rights === undefined) await members.take(workspaceId, userId, source)
      else await members.give({ workspaceId, userId, source, ...rights, expiresAt })
    })
  }
}

async function joinable({ catalog }: Parts, { issuer, email }: ProviderPerson): Promise<MailDomain[]> {
  return email === undefined ? [] : await catalog.mailDomains.joinable(issuer, email.slice(email.lastIndexOf('@') + 1))
}

/** Makes the person a member of the workspaces that allow the mail domain. Members keep the rights that they have. */
async function join({ catalog }: Parts, userId: string, domains: readonly MailDomain[]): Promise<void> {
  for (const { workspaceId, role, sites } of domains)
    if (catalog.members.rightsOf(workspaceId, userId) === undefined)
      await recordChange({ catalog }, { workspaceId, userId, source: 'domain' }, () =>
        catalog.members.give({ workspaceId, userId, role, sites, source: 'domain' }),
      )
}

/** Makes a change, and records it in the audit log if other rights count after it. */
async function recordChange(
  { catalog }: Pick<Parts, 'catalog'>,
  { workspaceId, userId, source }: { workspaceId: string; userId: string; source: string },
  change: () => Promise<unknown>,
): Promise<void> {
  const before = catalog.members.rightsOf(workspaceId, userId) ?? null
  await change()
  const after = catalog.members.rightsOf(workspaceId, userId) ?? null
  if (isDeepStrictEqual(rightsIn(before), rightsIn(after))) return
  const actor = { kind: 'nobody' as const, id: '', userId }
  const details = { source, before: rightsIn(before), after: rightsIn(after) }
  await catalog.audit.record({ workspaceId, actor, action: 'member.change', target: `user ${userId}`, details })
}

function rightsIn(rights: Rights | null): Rights | null {
  return rights && { role: rights.role, sites: rights.sites }
}

function noMember({ name, email }: ProviderPerson): ServiceError {
  return new ServiceError(
    'not_a_member',
    'You are no member of a workspace here. Ask one of its owners for an invitation, and open its link.',
    { name, ...(email !== undefined && { email }) },
  )
}
