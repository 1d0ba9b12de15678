// The entries of the audit log: their form, and how rows hold them.

import type { Principal } from '../../model/principal.js'
import type { Row } from '../database/catalog-database.js'

/** The principal: the kind of principal, its id, and the ids of the person and the agent's program. `nobody` is a visitor. */
export interface AuditActor {
  kind: Principal['kind'] | 'nobody'
  id: string
  userId?: string
  client?: string
}

/** Facts about people, which can be erased. */
export interface PersonalFacts {
  /** The name of the actor. */
  name?: string
  /** The name of the person or thing that it was done to. */
  about?: string
  email?: string
  /** IP address. */
  address?: string
  device?: string
}

export interface NewAuditEntry {
  /** `OPERATOR_CHAIN` for what is no workspace's. */
  workspaceId: string
  actor: AuditActor
  /** `key.create`: a noun and a verb. */
  action: string
  /** Kind and id of what it was done to: `key 0198…`. */
  target: string
  /** The change, without names, addresses and secrets. */
  details?: Record<string, unknown>
  personal?: PersonalFacts
}

export interface AuditEntry {
  number: number
  /** RFC 3339; never before the entry before. */
  at: string
  actor: AuditActor
  action: string
  target: string
  details: Record<string, unknown>
  /** Null once they are erased, or if there are none. */
  personal: PersonalFacts | null
  /** Hash of this entry. */
  hash: string
}

/** The part of an entry that its hash covers, in the order of its JSON. */
export type ChainedEntry = Omit<AuditEntry, 'personal' | 'hash'> & { personal: string | null }

export type AuditRow = Row<'auditEntries'>

export function readEntry({ entry, personal, hash }: AuditRow): AuditEntry {
  const facts = personal === null ? null : (JSON.parse(personal) as PersonalFacts)
  return { ...(JSON.parse(entry) as ChainedEntry), personal: facts, hash }
}
