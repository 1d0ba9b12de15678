// The audit log: one chain of entries for each workspace, and one for the operator. An entry's hash covers the hash before it, so a
// changed, removed or added entry shows. Personal facts lie beside the entry, which holds only their salted hash: they can be erased.

import { createHash, randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import { type Clock, toSeconds, toTimestamp } from '../../model/clock.js'
import type { Principal } from '../../model/principal.js'
import { isTaken, type OpenDatabase, type Write } from '../database/database.js'
import type { CatalogTables } from '../database/tables.js'
import type { SqliteStatement } from '../sqlite/statement.js'

/** Stands for the workspace in the operator's chain. */
export const OPERATOR_CHAIN = ''

/** The principal: the kind of principal, its id, and the ids of the person and the agent's program. `nobody` is a visitor. */
export interface AuditActor {
  kind: Principal['kind'] | 'nobody'
  id: string
  userId?: string
  client?: string
}

/** Facts about people, which can be erased. */
export interface PersonalFacts {
  name?: string
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

type Row = Selectable<CatalogTables['audit_entries']>

export class AuditLog {
  readonly #write: Write<CatalogTables>
  readonly #clock: Clock
  readonly #last: SqliteStatement<Pick<Row, 'number' | 'hash'>>
  readonly #anchor: SqliteStatement<{ number: number; hash: string }>

  constructor({ sqlite, write }: OpenDatabase<CatalogTables>, clock: Clock) {
    this.#write = write
    this.#clock = clock
    this.#last = sqlite.prepare(
      'SELECT number, hash FROM audit_entries WHERE workspace_id = ? ORDER BY number DESC LIMIT 1',
    )
    this.#anchor = sqlite.prepare('SELECT number, hash FROM audit_anchors WHERE workspace_id = ?')
  }

  /** Appends an entry. Durable when it resolves. */
  async record({ workspaceId, actor, action, target, details = {}, personal }: NewAuditEntry): Promise<void> {
    const at = toTimestamp(toSeconds(this.#clock()))
    const salt = personal && randomBytes(16).toString('base64url')
    const facts = personal && JSON.stringify(personal)
    const personalHash = facts === undefined ? null : sha256(`${salt}\n${facts}`)
    for (;;) {
      const last = this.#last.first([workspaceId]) ?? this.#anchor.first([workspaceId])
      const number = (last?.number ?? 0) + 1
      const entry = JSON.stringify({ number, at, actor, action, target, details, personal: personalHash })
      const row = {
        workspace_id: workspaceId,
        number,
        entry,
        personal: facts ?? null,
        salt: salt ?? null,
        hash: chainHash(last?.hash ?? '', entry),
      }
      try {
        await this.#write((db) => [db.insertInto('audit_entries').values(row).compile()])
        return
      } catch (error) {
        // Another process appended first.
        if (!isTaken(error)) throw error
      }
    }
  }
}

/** Returns the hash of an entry that follows the one with the hash `before`, which is empty for the first. */
export function chainHash(before: string, entry: string): string {
  return sha256(`${before}\n${entry}`)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
