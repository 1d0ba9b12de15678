// People: each has an id, which never changes, and a name. Their roles are in `members.ts`.

import type { CatalogDatabase, Row } from '../database/catalog-database.js'
import type { SqliteStatement } from '../sqlite/statement.js'

export type User = Row<'users'>

export class Users {
  readonly #database: CatalogDatabase
  readonly #byId: SqliteStatement<User>

  constructor(database: CatalogDatabase) {
    this.#database = database
    this.#byId = database.prepare('SELECT * FROM users WHERE id = ?')
  }

  async create({ id, name, createdAt }: User): Promise<void> {
    await this.#database.write((db) => [db.insertInto('users').values({ id, name, createdAt })])
  }

  /** Finds a person. Synchronous, as every request of the person asks it. */
  find(id: string): User | undefined {
    return this.#byId.first([id])
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#database.write((db) => [db.updateTable('users').set({ name }).where('id', '=', id)])
  }
}
