// The settings of an identity provider at which people sign in (`SIGN_IN_PROVIDERS`).

import type { Role } from '../../model/rights/roles.js'

export interface ProviderSettings {
  /** Names it in URLs, also in the one to which it sends people back. */
  id: string
  /** Shown to people. */
  name: string
  /** As the provider writes it. */
  issuer: string
  clientId: string
  /** Undefined for a public client. */
  clientSecret: string | undefined
  scopes: string
  /** Whether an address counts as verified if the provider does not say. */
  trustEmail: boolean
  /** The claim that `roles` reads; a dot leads into an object: `realm_access.roles`. */
  roleClaim: string | undefined
  /** The rights that each value of the claim gives. */
  roles: Readonly<Record<string, ClaimedRole>>
}

export interface ClaimedRole {
  /** Default: the only workspace. */
  workspace: string | undefined
  role: Role
  /** Ids or slugs of the only sites; null means all. */
  sites: readonly string[] | null
}

/** Seconds by which the clock of a provider may differ. */
export const CLOCK_SECONDS = 30
