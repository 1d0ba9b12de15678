// Decides whose a key is, and who may see, change and replace it.

import type { ApiKey } from '../../catalog/api-key.js'
import { ServiceError } from '../../model/errors.js'
import { isWithinPatterns } from '../../model/paths/path-scope.js'
import type { Principal } from '../../model/principal.js'
import type { Call } from '../context/call.js'
import { insufficientScope } from '../context/target.js'
import { badField } from './key-limits.js'

/**
 * Refuses a new secret for somebody else's key: its holder would act under that person's name. An offer is taken by its person alone, in a
 * session. Throws `forbidden_role`.
 */
export function refuseForeignKey({ principal }: Call, { userId, offer }: ApiKey): void {
  const { kind, person } = principal
  const isOwn = userId === person?.id && (offer === null || kind === 'session')
  if (userId === null || isOwn || (kind === 'operator' && offer === null)) return
  throw new ServiceError(
    'forbidden_role',
    'This is the key of another person, who alone may replace it. You may revoke it.',
  )
}

/** Whether the caller may see and change the key: its own, or as an admin one that can do no more than the caller. */
export function mayManage({ principal, target }: Call, key: ApiKey): boolean {
  if (target.scopes.includes('admin')) return isWithin(key, principal)
  return key.userId !== null && key.userId === principal.person?.id && isWithin(key, principal)
}

/**
 * Returns the person who owns a new key; null for a key of the workspace. Throws `insufficient_scope` unless the caller is an admin, or a
 * person in a session, who may have own keys.
 */
export function ownerFor({ principal, target }: Call, personal?: boolean): string | null {
  const { kind, person } = principal
  const isAdmin = target.scopes.includes('admin')
  const ownId = kind === 'session' ? person?.id : undefined
  if (!isAdmin && (ownId === undefined || personal === false)) throw insufficientScope(principal, 'admin')
  if (personal === true && ownId === undefined)
    throw badField('personal', 'is only for people who are signed in: leave it out')
  if (ownId !== undefined && (personal === true || !isAdmin)) return ownId
  // A personal key makes personal keys.
  return kind === 'key' ? (person?.id ?? null) : null
}

/** Whether the key can do no more than the principal, judged by sites, paths and origins. */
function isWithin({ sites, paths, origins }: ApiKey, principal: Principal): boolean {
  return (
    isPart(sites, principal.sites) &&
    isPart(origins, principal.origins ?? null) &&
    (principal.paths === undefined || (paths !== null && isWithinPatterns(paths, principal.paths)))
  )
}

/** Whether `wanted` is a part of `own`; null is no limit. */
function isPart(wanted: readonly string[] | null, own: readonly string[] | null): boolean {
  return own === null || (wanted?.every((each) => own.includes(each)) ?? false)
}
