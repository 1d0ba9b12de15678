// The approvals of change requests. Each names the commit that the person looked at, so it says nothing about later ones. None is changed.

import type { CatalogDatabase, Row } from '../database/catalog-database.js'
import type { SqliteStatement } from '../sqlite/statement.js'

type ApprovalRow = Row<'changeRequestApprovals'>

export type Approval = Omit<ApprovalRow, 'requestId' | 'commitOid'> & { commit: string }

export type NewApproval = Omit<Approval, 'createdAt'> & { requestId: string }

export class Approvals {
  readonly #database: CatalogDatabase
  readonly #all: SqliteStatement<ApprovalRow>

  constructor(database: CatalogDatabase) {
    this.#database = database
    this.#all = database.prepare(
      'SELECT * FROM change_request_approvals WHERE request_id = ? ORDER BY created_at, commit_oid, user_id',
    )
  }

  /** Stores an approval. A second one of the same commit by the same person changes nothing. */
  async approve({ requestId, commit: commitOid, userId, label }: NewApproval): Promise<void> {
    const createdAt = this.#database.now()
    await this.#database.write((db) => [
      db
        .insertInto('changeRequestApprovals')
        .values({ requestId, commitOid, userId, label, createdAt })
        .onConflict((conflict) => conflict.doNothing()),
    ])
  }

  /** Lists all approvals of the request, the oldest first. Synchronous. */
  list(requestId: string): Approval[] {
    return this.#all
      .all([requestId])
      .map(({ commitOid: commit, userId, label, createdAt }) => ({ commit, userId, label, createdAt }))
  }
}
