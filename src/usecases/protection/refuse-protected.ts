// Holds writes to main of a protected site, whatever way they come by, and names the call that proposes the same.

import type { Catalog } from '../../catalog/catalog.js'
import type { Site } from '../../catalog/site.js'
import { ServiceError } from '../../model/errors.js'
import type { Principal } from '../../model/principal.js'
import type { Protection } from '../../model/rights/protection.js'

export interface HeldWrite {
  catalog: Pick<Catalog, 'protectionExceptions'>
  principal: Pick<Principal, 'kind' | 'id'>
  site: Pick<Site, 'id' | 'protection' | 'request'>
}

const RULES: Readonly<Record<Exclude<Protection, 'none'>, string>> = {
  agents: 'keys and agents propose changes, and people publish them',
  all: 'everybody proposes changes, and another person approves them',
}

/**
 * Whether the protection of the site holds this write. It holds no write to a change request, none of the operator at the command line, and
 * none of an excepted key. An unprotected site costs no query.
 */
export function isHeld({ catalog, principal, site }: HeldWrite): boolean {
  const { protection, request } = site
  if (protection === 'none' || request !== undefined || principal.kind === 'operator') return false
  if (protection === 'agents' && principal.kind === 'session') return false
  return !(principal.kind === 'key' && catalog.protectionExceptions.has(site.id, principal.id))
}

/** Throws `approval_required` with the call that proposes the same. */
export function refuseProtected(write: HeldWrite & { sent?: string | undefined }): void {
  if (isHeld(write)) throw approvalRequired(write.site.protection, write.sent)
}

/** `sent` is method and URL of the refused request. */
export function approvalRequired(protection: Protection, sent = 'the same request'): ServiceError {
  const propose = `${sent}${sent.includes('?') ? '&' : '?'}changeRequest=new`
  return new ServiceError(
    'approval_required',
    `${ruleOf(protection)} Propose the same change: ${propose}, with the same header fields and body.`,
    { protection, propose },
  )
}

/** Says what the protection demands. */
export function ruleOf(protection: Protection): string {
  return protection === 'none' ? '' : `This site is protected: ${RULES[protection]}.`
}
