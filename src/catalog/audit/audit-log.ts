// The audit log: one chain of entries for each workspace, and one for the operator. Personal facts lie beside the entry, which holds only
// their salted hash: they can be erased. Old entries go when others are written; a signed anchor stays in their place.

import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { CatalogDatabase, Row } from '../database/catalog-database.js'
import { isTaken, type Statement } from '../database/database.js'
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

export class AuditLog {
  readonly #database: CatalogDatabase
  readonly #before: SqliteStatement<AuditRow>
  readonly #after: SqliteStatement<AuditRow>
  readonly #anchor: SqliteStatement<Row<'auditAnchors'>>
  readonly #chains: SqliteStatement<{ workspaceId: string }>
  #retention: Retention | undefined

  constructor(database: CatalogDatabase) {
    this.#database = database
    const page = 'SELECT * FROM audit_entries WHERE workspace_id = ? AND number'
    this.#before = database.prepare(`${page} < ? ORDER BY number DESC LIMIT ?`)
    this.#after = database.prepare(`${page} > ? ORDER BY number LIMIT ?`)
    this.#anchor = database.prepare('SELECT * FROM audit_anchors WHERE workspace_id = ?')
    this.#chains = database.prepare(
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
      const now = this.#database.now()
      const [last] = this.before(workspaceId, Number.MAX_SAFE_INTEGER, 1)
      const link: Link = last ?? this.anchor(workspaceId) ?? BEGINNING
      const number = link.number + 1
      const at = last !== undefined && last.at > now ? last.at : now
      const { actor, action, target, details = {} } = made
      const chained: ChainedEntry = { number, at, actor, action, target, details, personal: hashed }
      const entry = JSON.stringify(chained)
      const hash = chainHash(link.hash, entry)
      const row: AuditRow = { workspaceId, number, entry, personal: facts, salt, hash }
      try {
        await this.#database.write((db) => [
          db.insertInto('auditEntries').values(row),
          ...this.#removeOld(db, workspaceId),
        ])
        return
      } catch (error) {
        if (!isTaken(error)) throw error
        // Another process appended first. An empty write brings a node's copy up to date.
        await this.#database.write(() => [])
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
    return this.#anchor.first([workspaceId])
  }

  /** Lists the workspaces with a chain, also those that are gone; `OPERATOR_CHAIN` stands for the operator's. */
  chains(): string[] {
    return this.#chains.all([]).map((row) => row.workspaceId)
  }

  /** Erases the personal facts in the entries that a person made, and in those about the person. Returns the number of entries. */
  async erase(userId: string): Promise<number> {
    const [erased] = await this.#database.write(() => [
      sql`
      UPDATE audit_entries SET personal = NULL, salt = NULL WHERE personal IS NOT NULL
      AND (entry LIKE ${`%"userId":"${userId}"%`} OR entry LIKE ${`%"target":"user ${userId}"%`})`,
    ])
    return erased?.count ?? 0
  }

  /**
   * Removes the oldest entries that are too old; later entries are never older. The new entry of the same write keeps two processes from
   * doing so at once.
   */
  #removeOld(db: Kysely<CatalogTables>, workspaceId: string): Statement<CatalogTables, unknown>[] {
    if (this.#retention === undefined || this.#retention.days === 0) return []
    const { now } = this.#database
    const end = now(this.#retention.days * 86_400)
    const oldest = (count: number) => this.rowsAfter(workspaceId, 0, count).map(readEntry)
    if (oldest(1).every(({ at }) => at >= end)) return []
    const old = oldest(REMOVED_AT_ONCE).filter(({ at }) => at < end)
    const { number, hash } = old.at(-1) ?? BEGINNING
    const removedAt = now()
    const signature = this.#retention.sign(anchorText(workspaceId, { number, hash, removedAt }))
    const anchor = { number, hash, removedAt, signature }
    return [
      db.deleteFrom('auditEntries').where('workspaceId', '=', workspaceId).where('number', '<=', number),
      db
        .insertInto('auditAnchors')
        .values({ workspaceId, ...anchor })
        .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet(anchor)),
    ]
  }
}
