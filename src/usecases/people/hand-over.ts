// The keys of a leaving person are offered to another member. The keys themselves end, since the leaving person has their secrets. The heir
// takes an offer with a new secret, or declines it (`../access/keys.ts`). An offer gives no rights that the heir lacks.

import { type ApiKey, isUsable } from '../../catalog/api-key.js'
import type { Member } from '../../catalog/people/members.js'
import type { NewOffer } from '../../catalog/personal-keys.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { type Rights, SCOPES_OF_ROLE } from '../../model/rights/roles.js'
import { holdsScope } from '../../model/rights/scopes.js'
import { bothSites } from '../access/person.js'
import type { Call } from '../context/call.js'
import { refuseForeign } from './roles.js'

const OFFERED_SECONDS = 14 * 86_400

/**
 * Returns the offers of the member's keys to an heir. Throws `forbidden_role` for an heir whose rights the caller may not change, and
 * `invalid_query` for an heir who is the leaving person.
 */
export async function offersTo(
  call: Call<'catalog' | 'clock' | 'newId'>,
  { userId }: Member,
  heir: Member,
): Promise<NewOffer[]> {
  const { catalog, clock, newId } = call
  refuseForeign(call, heir.rights)
  if (heir.userId === userId)
    throw new ServiceError('invalid_query', 'handTo names the person who is removed: name another member.', [
      { field: '/handTo', message: 'is the person who is removed' },
    ])
  const until = toTimestamp(toSeconds(clock()) + OFFERED_SECONDS)
  const keys = await catalog.personalKeys.list(call.target.workspace.id, userId)
  return keys
    .filter((key) => isUsable(key, clock()))
    .map((key) => ({ id: newId(), keyId: key.id, to: heir.userId, until, ...partOf(key, heir.rights) }))
    .filter(({ sites }) => sites === null || sites.length > 0)
}

/** Returns the part of the key that the heir may do too. */
function partOf(key: ApiKey, { role, sites }: Rights): Pick<NewOffer, 'scopes' | 'sites'> {
  const scopes = key.scopes.filter((scope) => holdsScope(SCOPES_OF_ROLE[role], scope))
  return { scopes: scopes.length === 0 ? ['read'] : scopes, sites: bothSites(sites, key.sites) }
}
