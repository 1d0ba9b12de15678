// The audit log: one chain of entries for each workspace, and one for the operator. Personal facts lie beside the entry, which holds only
// their salted hash: they can be erased. Old entries go when others are written; a signed anchor stays in their place.

import { randomBytes } from 'node:crypto'
import { type CompiledQuery, type Kysely, type Selectable, sql } from 'kysely'
import { type Clock, toSeconds, toTimestamp } from '../../model/clock.js'
import { isTaken, type OpenDatabase, type Write } from '../database/database.js'
import type { CatalogTables } from '../database/tables.js'
import type { SqliteStatement } from '../sqlite/statement.js'
import { type Anchor, anchorText, BEGINNING, chainHash, type Link, personalHash } from './chain.js'
import { type AuditEntry, type AuditRow, type ChainedEntry, type NewAuditEntry, readEntry } from './entries.js'

export interface Retention {
  /** Days after which an entry is removed; 0 keeps all. */
  days: number
  /** Signs a text with the service's key. */
  sign: (text: string) => string
}

/** The most entries that one write removes. */
const REMOVED_AT_ONCE = 100

type AnchorRow = Selectable<CatalogTables['audit_anchors']>

export class AuditLog {
  readonly #write: Write<CatalogTables>
  readonly #clock: Clock
  readonly #before: SqliteStatement<AuditRow>
  readonly #after: SqliteStatement<AuditRow>
  readonly #anchor: SqliteStatement<AnchorRow>
  readonly #chains: SqliteStatement<{ workspace_id: string }>
  #retention: Retention | undefined

  constructor({ sqlite, write }: OpenDatabase<CatalogTables>, clock: Clock) {
    this.#write = write
    this.#clock = clock
    const page = 'SELECT * FROM audit_entries WHERE workspace_id = ? AND number'
    this.#before = sqlite.prepare(`${page} < ? ORDER BY number DESC LIMIT ?`)
    this.#after = sqlite.prepare(`${page} > ? ORDER BY number LIMIT ?`)
    this.#anchor = sqlite.prepare('SELECT * FROM audit_anchors WHERE workspace_id = ?')
    this.#chains = sqlite.prepare(
      'SELECT workspace_id FROM audit_entries UNION SELECT workspace_id FROM audit_anchors ORDER BY workspace_id',
    )
  }

  /** From now on removes old entries. Without this call all stay. */
  retain(retention: Retention): void {
    this.#retention = retention
  }

  /** Appends an entry, and removes old ones. Durable when it resolves. */
  async record({ workspaceId, personal, ...made }: NewAuditEntry): Promise<void> {
    const facts = personal === undefined ? null : JSON.stringify(personal)
    const salt = facts === null ? null : randomBytes(16).toString('base64url')
    const hashed = facts === null || salt === null ? null : personalHash(salt, facts)
    for (;;) {
      const now = toTimestamp(toSeconds(this.#clock()))
      const [last] = this.before(workspaceId, Number.MAX_SAFE_INTEGER, 1)
      const link: Link = last ?? this.anchor(workspaceId) ?? BEGINNING
      const number = link.number + 1
      const at = last !== undefined && last.at > now ? last.at : now
      const { actor, action, target, details = {} } = made
      const chained: ChainedEntry = { number, at, actor, action, target, details, personal: hashed }
      const entry = JSON.stringify(chained)
      const hash = chainHash(link.hash, entry)
      const row: AuditRow = { workspace_id: workspaceId, number, entry, personal: facts, salt, hash }
      try {
        await this.#write((db) => [
          db.insertInto('audit_entries').values(row).compile(),
          ...this.#removeOld(db, workspaceId),
        ])
        return
      } catch (error) {
        if (!isTaken(error)) throw error
        // Another process appended first. An empty write brings a node's copy up to date.
        await this.#write(() => [])
      }
    }
  }

  /** Lists the entries before a number, the newest first. */
  before(workspaceId: string, number: number, count: number): AuditEntry[] {
    return this.#before.all([workspaceId, number, count]).map(readEntry)
  }

  /** Lists the rows after a number, the oldest first. */
  rowsAfter(workspaceId: string, number: number, count: number): AuditRow[] {
    return this.#after.all([workspaceId, number, count])
  }

  anchor(workspaceId: string): Anchor | undefined {
    const row = this.#anchor.first([workspaceId])
    return row && { number: row.number, hash: row.hash, removedAt: row.removed_at, signature: row.signature }
  }

  /** Lists the workspaces with a chain, also those that are gone; `OPERATOR_CHAIN` stands for the operator's. */
  chains(): string[] {
    return this.#chains.all([]).map((row) => row.workspace_id)
  }

  /** Erases the personal facts in the entries that a person made, and in those about the person. Returns the number of entries. */
  async erase(userId: string): Promise<number> {
    const [erased] = await this.#write((db) => [
      sql`
      UPDATE audit_entries SET personal = NULL, salt = NULL WHERE personal IS NOT NULL
      AND (entry LIKE ${`%"userId":"${userId}"%`} OR entry LIKE ${`%"target":"user ${userId}"%`})`.compile(db),
    ])
    return erased?.count ?? 0
  }

  /** Removes the oldest entries that are too old; later entries are never older. The new entry of the same write keeps two processes from doing so at once. */
  #removeOld(db: Kysely<CatalogTables>, workspaceId: string): CompiledQuery[] {
    if (this.#retention === undefined || this.#retention.days === 0) return []
    const now = toSeconds(this.#clock())
    const end = toTimestamp(now - this.#retention.days * 86_400)
    const oldest = (count: number) => this.rowsAfter(workspaceId, 0, count).map(readEntry)
    if (oldest(1).every(({ at }) => at >= end)) return []
    const old = oldest(REMOVED_AT_ONCE).filter(({ at }) => at < end)
    const { number, hash } = old.at(-1) ?? BEGINNING
    const removedAt = toTimestamp(now)
    const signature = this.#retention.sign(anchorText(workspaceId, { number, hash, removedAt }))
    const anchor = { number, hash, removed_at: removedAt, signature }
    return [
      db.deleteFrom('audit_entries').where('workspace_id', '=', workspaceId).where('number', '<=', number).compile(),
      db
        .insertInto('audit_anchors')
        .values({ workspace_id: workspaceId, ...anchor })
        .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(anchor))
        .compile(),
    ]
  }
}
