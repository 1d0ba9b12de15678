// Scopes that a workspace grants to the keys of another workspace.

import type { Selectable } from 'kysely'
import type { Scope } from '../model/rights/scopes.js'
import type { OpenDatabase, Write } from './database/database.js'
import type { SqliteStatement } from './sqlite/statement.js'
import type { CatalogTables } from './database/tables.js'
import { joinWords, splitScopes } from './database/word-list.js'

export interface Grant {
  /** The workspace that grants. */
  workspaceId: string
  scopes: Scope[]
}

type Row = Selectable<CatalogTables['grants']>

export class Grants {
  readonly #write: Write<CatalogTables>
  readonly #byHolder: SqliteStatement<Row>

  constructor({ sqlite, write }: OpenDatabase<CatalogTables>) {
    this.#write = write
    this.#byHolder = sqlite.prepare('SELECT * FROM grants WHERE to_workspace_id = ? ORDER BY workspace_id')
  }

  /** Replaces the scopes that `workspaceId` grants to the keys of `toWorkspaceId`; an empty list ends the grant. */
  async grant(workspaceId: string, toWorkspaceId: string, scopes: readonly Scope[]): Promise<void> {
    if (scopes.length === 0) return this.#withdraw(workspaceId, toWorkspaceId)
    const row = { workspace_id: workspaceId, to_workspace_id: toWorkspaceId, scopes: joinWords(scopes) }
    await this.#write((db) => [
      db
        .insertInto('grants')
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(['to_workspace_id', 'workspace_id']).doUpdateSet({ scopes: row.scopes }),
        )
        .compile(),
    ])
  }

  /** Lists the other workspaces that the keys of this one may see. Synchronous, as every request asks it. */
  grantsTo(workspaceId: string): Grant[] {
    return this.#byHolder
      .all([workspaceId])
      .map((row) => ({ workspaceId: row.workspace_id, scopes: splitScopes(row.scopes) }))
  }

  async #withdraw(workspaceId: string, toWorkspaceId: string): Promise<void> {
    await this.#write((db) => [
      db
        .deleteFrom('grants')
        .where('workspace_id', '=', workspaceId)
        .where('to_workspace_id', '=', toWorkspaceId)
        .compile(),
    ])
  }
}
