// The roles of people in workspaces. Nothing is cached, so a change by any process counts at the person's next request.

import { type RawBuilder, sql } from 'kysely'
import { BY_HAND, isRole, joinRights, type Rights, type SourcedRights } from '../../model/rights/roles.js'
import type { CatalogDatabase, Row } from '../database/catalog-database.js'
import type { SqliteStatement } from '../sqlite/statement.js'
import { joinWords, splitWords } from '../database/word-list.js'

export interface Member {
  userId: string
  name: string
  /** The rights that count. */
  rights: Rights
  /** All rights that have not expired. */
  sources: SourcedRights[]
  /** When the first of them was given. */
  joinedAt: string
}

export interface NewRights extends SourcedRights {
  workspaceId: string
  userId: string
  /** Default: never. */
  expiresAt?: string | null
}

type MemberRow = Row<'members'>
type NamedRow = MemberRow & { name: string }

export class Members {
  readonly #database: CatalogDatabase
  readonly #ofUser: SqliteStatement<MemberRow>
  readonly #workspacesOf: SqliteStatement<{ workspaceId: string }>

  constructor(database: CatalogDatabase) {
    this.#database = database
    const isValid = '(expires_at IS NULL OR expires_at > ?1)'
    this.#ofUser = database.prepare(`SELECT * FROM members WHERE workspace_id = ?2 AND user_id = ?3 AND ${isValid}`)
    this.#workspacesOf = database.prepare(
      `SELECT DISTINCT workspace_id FROM members WHERE user_id = ?2 AND ${isValid} ORDER BY workspace_id`,
    )
  }

  /** Returns the person's rights in the workspace; undefined for somebody who is no member. Synchronous, as every request asks it. */
  rightsOf(workspaceId: string, userId: string): Rights | undefined {
    return joinRights(this.#ofUser.all([this.#database.now(), workspaceId, userId]).flatMap(readRights))
  }

  /** Lists the ids of the workspaces that have the person as a member. Synchronous. */
  workspacesOf(userId: string): string[] {
    return this.#workspacesOf.all([this.#database.now(), userId]).map((row) => row.workspaceId)
  }

  /** Lists the members of a workspace by name. */
  async list(workspaceId: string): Promise<Member[]> {
    const rows = await this.#database.db
      .selectFrom('members')
      .innerJoin('users', 'users.id', 'members.userId')
      .selectAll('members')
      .select('users.name')
      .where('workspaceId', '=', workspaceId)
      .where((row) => row.or([row('expiresAt', 'is', null), row('expiresAt', '>', this.#database.now())]))
      .orderBy('users.name')
      .orderBy('userId')
      .orderBy('members.createdAt')
      .execute()
    return [...new Set(rows.map((row) => row.userId))].flatMap((id) =>
      readMember(rows.filter((row) => row.userId === id)),
    )
  }

  /** Gives rights, in place of those of the same source. */
  async give({ workspaceId, userId, source, role, sites, expiresAt = null }: NewRights): Promise<void> {
    const changed = { role, sites: joinWords(sites), expiresAt }
    await this.#database.write((db) => [
      db
        .insertInto('members')
        .values({ workspaceId, userId, source, ...changed, createdAt: this.#database.now() })
        .onConflict((conflict) => conflict.columns(['workspaceId', 'userId', 'source']).doUpdateSet(changed)),
    ])
  }

  /** Sets rights by hand. False, and nothing changes, if the workspace would have no owner then. */
  async setByHand(workspaceId: string, userId: string, { role, sites }: Rights): Promise<boolean> {
    const condition = role === 'owner' ? sql`1 = 1` : keepsOwner(workspaceId, userId)
    const [, set] = await this.#database.write(() => [
      lock(workspaceId),
      sql`
      INSERT INTO members (workspace_id, user_id, source, role, sites, expires_at, created_at)
      SELECT ${workspaceId}, ${userId}, ${BY_HAND}, ${role}, ${joinWords(sites)}, NULL, ${this.#database.now()} WHERE ${condition}
      ON CONFLICT (workspace_id, user_id, source) DO UPDATE SET role = excluded.role, sites = excluded.sites`,
    ])
    return set?.count === 1
  }

  /** Takes the rights of one source, or all. False, and nothing changes, if the workspace would have no owner then. */
  async take(workspaceId: string, userId: string, source?: string): Promise<boolean> {
    const isMeant = source === undefined ? sql`1 = 1` : sql`source = ${source}`
    const [, taken] = await this.#database.write(() => [
      lock(workspaceId),
      sql`
      DELETE FROM members WHERE workspace_id = ${workspaceId} AND user_id = ${userId} AND ${isMeant}
      AND ${keepsOwner(workspaceId, userId)}`,
    ])
    return (taken?.count ?? 0) > 0
  }
}

/** Puts changes to the members of a workspace in order, so that two owners cannot take each other's role at once. */
function lock(workspaceId: string): RawBuilder<unknown> {
  return sql`UPDATE workspaces SET name = name WHERE id = ${workspaceId}`
}

/** True if the person is no owner, or the workspace has another whose role does not expire. */
function keepsOwner(workspaceId: string, userId: string): RawBuilder<unknown> {
  const owner = sql`
    SELECT 1 FROM members AS owner WHERE owner.workspace_id = ${workspaceId} AND owner.role = 'owner'
    AND owner.expires_at IS NULL AND (owner.source = ${BY_HAND} OR NOT EXISTS (
      SELECT 1 FROM members AS hand WHERE hand.workspace_id = owner.workspace_id AND hand.user_id = owner.user_id
      AND hand.source = ${BY_HAND}))`
  return sql`(NOT EXISTS (${owner} AND owner.user_id = ${userId}) OR EXISTS (${owner} AND owner.user_id <> ${userId}))`
}

/** Reads a row. A role of a newer version gives no rights. */
function readRights({ role, sites, source }: MemberRow): SourcedRights[] {
  return isRole(role) ? [{ role, sites: splitWords(sites), source }] : []
}

function readMember(rows: readonly NamedRow[]): Member[] {
  const [first] = rows
  const sources = rows.flatMap(readRights)
  const rights = joinRights(sources)
  if (first === undefined || rights === undefined) return []
  return [{ userId: first.userId, name: first.name, rights, sources, joinedAt: first.createdAt }]
}
