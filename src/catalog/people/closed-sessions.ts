// Sessions that an admin ended in one workspace. They open the person's other workspaces, and this one only after a new sign-in.

import { sql } from 'kysely'
import type { CatalogDatabase } from '../database/catalog-database.js'
import type { SqliteStatement } from '../sqlite/statement.js'

export class ClosedSessions {
  readonly #database: CatalogDatabase
  readonly #one: SqliteStatement<object>

  constructor(database: CatalogDatabase) {
    this.#database = database
    this.#one = database.prepare('SELECT 1 FROM closed_sessions WHERE session_id = ? AND workspace_id = ?')
  }

  /** Whether the session no longer opens the workspace. Synchronous, as every request of the dashboard asks it. */
  has(sessionId: string, workspaceId: string): boolean {
    return this.#one.first([sessionId, workspaceId]) !== undefined
  }

  /** Closes the workspace to all sessions that the person has now, and ends what was lent for it. */
  async close(workspaceId: string, userId: string): Promise<void> {
    await this.#database.write((db) => [
      db.deleteFrom('signInLinks').where('userId', '=', userId).where('boundTo', '=', workspaceId),
      db.deleteFrom('sessions').where('userId', '=', userId).where('boundTo', '=', workspaceId),
      sql`DELETE FROM closed_sessions WHERE session_id NOT IN (SELECT id FROM sessions)`,
      sql`
      INSERT INTO closed_sessions (session_id, workspace_id)
      SELECT id, ${workspaceId} FROM sessions WHERE user_id = ${userId} ON CONFLICT DO NOTHING`,
    ])
  }
}
