// Decides who may publish a change request. Pure: callers bring the rows.

import type { Site } from '../../catalog/site.js'
import { ServiceError } from '../../model/errors.js'
import type { Principal } from '../../model/principal.js'
import { holdsScope, type Scope } from '../../model/rights/scopes.js'
import { ruleOf } from '../protection/refuse-protected.js'

export interface Publishing {
  site: Pick<Site, 'protection'>
  principal: Pick<Principal, 'kind'>
  /** The scopes of the caller in the workspace of the site. */
  scopes: readonly Scope[]
  /** Whether an approval of the newest commit holds. */
  isApproved: boolean
  /** Whether it is an excepted key. */
  isExcepted: boolean
}

/**
 * Throws `insufficient_scope` without the scope `write`. Throws `approval_required` at a protected site for every caller but people and
 * excepted keys. Excepted keys publish only what is approved; so do people under `all`.
 */
export function refusePublishing({ site, principal, scopes, isApproved, isExcepted }: Publishing): void {
  const { protection } = site
  const { kind } = principal
  if (!holdsScope(scopes, 'write'))
    throw new ServiceError('insufficient_scope', 'Publishing a change request needs the scope "write".', {
      scope: 'write',
    })
  if (protection === 'none' || kind === 'operator') return
  if (kind !== 'session' && !isExcepted)
    throw new ServiceError('approval_required', `${ruleOf(protection)} Ask a person to publish this request.`, {
      protection,
    })
  if (isApproved || (kind === 'session' && protection === 'agents')) return
  throw new ServiceError(
    'approval_required',
    `${ruleOf(protection)} Its newest commit is not approved: ask somebody who may approve it.`,
    { protection },
  )
}
