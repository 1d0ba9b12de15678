// Some changes need a fresh proof of who the person is: a session can be stolen, or left open on a machine that others use.

import { ServiceError } from '../../model/errors.js'
import type { Principal } from '../../model/principal.js'
import type { Services } from '../context/services.js'

const FRESH_MS = 10 * 60_000

/**
 * Throws `fresh_proof_required` for a session whose person last proved who they are more than 10 minutes ago. Somebody with neither a
 * passkey for this host nor an account at a provider has nothing to prove it with. Then the change is allowed, and the dashboard urges the
 * person to add a passkey. A borrowed session is no such proof, as an owner may have opened it. Keys and agents are not people.
 */
export function refuseUnproven(
  { catalog, clock, baseUrl }: Pick<Services, 'catalog' | 'clock' | 'baseUrl'>,
  { kind, id, person, lentBy }: Principal,
): void {
  if (kind !== 'session' || person === undefined) return
  const provenAt = Date.parse(catalog.sessions.provenAt(id) ?? '')
  if (clock().getTime() - provenAt <= FRESH_MS) return
  if (lentBy !== undefined)
    throw new ServiceError(
      'fresh_proof_required',
      'This change needs a fresh proof of who you are, and the link of an owner is none: use a passkey of your own.',
    )
  if (!catalog.passkeys.canProve(person.id, new URL(baseUrl).hostname)) return
  throw new ServiceError(
    'fresh_proof_required',
    'This change needs a fresh proof of who you are: use your passkey, or sign in again.',
  )
}
