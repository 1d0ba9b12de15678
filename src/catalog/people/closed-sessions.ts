// Sessions that an admin ended in one workspace. They open the person's other workspaces, and this one only after a new sign-in.

import { sql } from 'kysely'
import type { OpenDatabase, Write } from '../database/database.js'
import type { CatalogTables } from '../database/tables.js'
import type { SqliteStatement } from '../sqlite/statement.js'

export class ClosedSessions {
  readonly #write: Write<CatalogTables>
  readonly #one: SqliteStatement<object>

  constructor({ sqlite, write }: OpenDatabase<CatalogTables>) {
    this.#write = write
    this.#one = sqlite.prepare('SELECT 1 FROM closed_sessions WHERE session_id = ? AND workspace_id = ?')
  }

  /** Whether the session no longer opens the workspace. Synchronous, as every request of the dashboard asks it. */
  has(sessionId: string, workspaceId: string): boolean {
    return this.#one.first([sessionId, workspaceId]) !== undefined
  }

  /** Closes the workspace to all sessions that the person has now, and ends what was lent for it. */
  async close(workspaceId: string, userId: string): Promise<void> {
    await this.#write((db) => [
      db.deleteFrom('sign_in_links').where('user_id', '=', userId).where('bound_to', '=', workspaceId).compile(),
      db.deleteFrom('sessions').where('user_id', '=', userId).where('bound_to', '=', workspaceId).compile(),
      sql`DELETE FROM closed_sessions WHERE session_id NOT IN (SELECT id FROM sessions)`.compile(db),
      sql`
      INSERT INTO closed_sessions (session_id, workspace_id)
      SELECT id, ${workspaceId} FROM sessions WHERE user_id = ${userId} ON CONFLICT DO NOTHING`.compile(db),
    ])
  }
}
