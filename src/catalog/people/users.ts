// People: each has an id, which never changes, and a name. Their roles are in `members.ts`.

import type { Selectable } from 'kysely'
import type { OpenDatabase, Write } from '../database/database.js'
import type { CatalogTables } from '../database/tables.js'
import type { SqliteStatement } from '../sqlite/statement.js'

export interface User {
  id: string
  /** Shown as the author of commits. */
  name: string
  createdAt: string
}

type Row = Selectable<CatalogTables['users']>

export class Users {
  readonly #write: Write<CatalogTables>
  readonly #byId: SqliteStatement<Row>

  constructor({ sqlite, write }: OpenDatabase<CatalogTables>) {
    this.#write = write
    this.#byId = sqlite.prepare('SELECT * FROM users WHERE id = ?')
  }

  async create({ id, name, createdAt }: User): Promise<void> {
    await this.#write((db) => [db.insertInto('users').values({ id, name, created_at: createdAt }).compile()])
  }

  /** Finds a person. Synchronous, as every request of the person asks it. */
  find(id: string): User | undefined {
    const row = this.#byId.first([id])
    return row && { id: row.id, name: row.name, createdAt: row.created_at }
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#write((db) => [db.updateTable('users').set({ name }).where('id', '=', id).compile()])
  }
}
