// The protection of a site: who may change its main without a change request.

import type { Role } from './roles.js'

/** `agents`: people publish, and keys and agents propose. `all`: everybody proposes, and another person approves. */
export const PROTECTIONS = ['none', 'agents', 'all'] as const
export type Protection = (typeof PROTECTIONS)[number]

/** The least role that approves the change requests of a site. */
export const APPROVERS = ['editor', 'admin', 'owner'] as const satisfies readonly Role[]
export type Approvers = (typeof APPROVERS)[number]

/** Reads the word of a row. A word of a newer version protects most. */
export function readProtection(word: string): Protection {
  return PROTECTIONS.find((known) => known === word) ?? 'all'
}

export function readApprovers(word: string): Approvers {
  return APPROVERS.find((known) => known === word) ?? 'owner'
}
