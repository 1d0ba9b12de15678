// Scopes that a workspace grants to the keys of another workspace.

import type { Scope } from '../model/rights/scopes.js'
import type { CatalogDatabase, Row } from './database/catalog-database.js'
import type { SqliteStatement } from './sqlite/statement.js'
import { joinWords, splitScopes } from './database/word-list.js'

export interface Grant {
  /** The workspace that grants. */
  workspaceId: string
  scopes: Scope[]
}

export class Grants {
  readonly #database: CatalogDatabase
  readonly #byHolder: SqliteStatement<Pick<Row<'grants'>, 'workspaceId' | 'scopes'>>

  constructor(database: CatalogDatabase) {
    this.#database = database
    this.#byHolder = database.prepare(
      'SELECT workspace_id, scopes FROM grants WHERE to_workspace_id = ? ORDER BY workspace_id',
    )
  }

  /** Replaces the scopes that `workspaceId` grants to the keys of `toWorkspaceId`; an empty list ends the grant. */
  async grant(workspaceId: string, toWorkspaceId: string, scopes: readonly Scope[]): Promise<void> {
    if (scopes.length === 0) return this.#withdraw(workspaceId, toWorkspaceId)
    const row = { workspaceId, toWorkspaceId, scopes: joinWords(scopes) }
    await this.#database.write((db) => [
      db
        .insertInto('grants')
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(['toWorkspaceId', 'workspaceId']).doUpdateSet({ scopes: row.scopes }),
        ),
    ])
  }

  /** Lists the other workspaces that the keys of this one may see. Synchronous, as every request asks it. */
  grantsTo(workspaceId: string): Grant[] {
    return this.#byHolder.all([workspaceId]).map((row) => ({ ...row, scopes: splitScopes(row.scopes) }))
  }

  async #withdraw(workspaceId: string, toWorkspaceId: string): Promise<void> {
    await this.#database.write((db) => [
      db.deleteFrom('grants').where('workspaceId', '=', workspaceId).where('toWorkspaceId', '=', toWorkspaceId),
    ])
  }
}
