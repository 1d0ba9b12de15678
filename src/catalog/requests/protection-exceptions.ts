// The keys that change main of a protected site. `Sites.protect` sets them. Nothing is cached, so a change by any process counts at once.

import type { CatalogDatabase } from '../database/catalog-database.js'
import type { SqliteStatement } from '../sqlite/statement.js'

export class ProtectionExceptions {
  readonly #one: SqliteStatement<{ keyId: string }>
  readonly #all: SqliteStatement<{ keyId: string }>

  constructor({ prepare }: CatalogDatabase) {
    this.#one = prepare('SELECT key_id FROM protection_exceptions WHERE site_id = ? AND key_id = ?')
    this.#all = prepare('SELECT key_id FROM protection_exceptions WHERE site_id = ? ORDER BY key_id')
  }

  /** Whether the key is excepted. Synchronous. */
  has(siteId: string, keyId: string): boolean {
    return this.#one.first([siteId, keyId]) !== undefined
  }

  /** Lists the ids of the excepted keys. Synchronous. */
  list(siteId: string): string[] {
    return this.#all.all([siteId]).map(({ keyId }) => keyId)
  }
}
