// Sites: which repository belongs to which workspace. A slug is used once for ever. So the row of a site that was live is never
// removed, except after a restore that lacks the site.

import { ServiceError } from '../model/errors.js'
import { readApprovers, readProtection } from '../model/rights/protection.js'
import type { CatalogDatabase, Row } from './database/catalog-database.js'
import { isTaken } from './database/database.js'
import { KnownSites } from './known-sites.js'
import { forgetRequests } from './requests/forget-requests.js'
import type { NewSite, Site, SiteProtection, SiteSettings, SitesPage } from './site.js'
import type { SqliteStatement } from './sqlite/statement.js'

type SiteRow = Row<'sites'>

export class Sites {
  readonly #database: CatalogDatabase
  readonly #byId: SqliteStatement<SiteRow>
  readonly #bySlug: SqliteStatement<SiteRow>
  readonly #byIdPrefix: SqliteStatement<SiteRow>
  readonly #idsOf: SqliteStatement<{ id: string }>
  readonly #ofAnyState: SqliteStatement<SiteRow>
  readonly #protectedIn: SqliteStatement<SiteRow>
  readonly #known: KnownSites<Site>

  constructor(database: CatalogDatabase) {
    const { prepare, sqlite } = (this.#database = database)
    this.#known = new KnownSites(sqlite)
    this.#byId = prepare("SELECT * FROM sites WHERE workspace_id = ? AND id = ? AND state = 'live'")
    // Always reads one row, so that an unused slug takes as long as a used one: it reads the youngest site's row.
    this.#bySlug = prepare(
      'SELECT * FROM sites WHERE rowid = coalesce((SELECT rowid FROM sites WHERE slug = ?), (SELECT max(rowid) FROM sites))',
    )
    this.#byIdPrefix = prepare("SELECT * FROM sites WHERE id >= ? AND id < ? AND state = 'live' LIMIT 8")
    this.#idsOf = prepare("SELECT id FROM sites WHERE workspace_id = ? AND state = 'live' ORDER BY slug")
    this.#ofAnyState = prepare('SELECT * FROM sites WHERE id = ?')
    this.#protectedIn = prepare(
      "SELECT * FROM sites WHERE workspace_id = ? AND state = 'live' AND protection <> 'none' ORDER BY slug",
    )
  }

  /** Reserves id and slug, in the state `creating`. Throws `slug_taken`, or `conflict` if another site has the id (an import). */
  async reserve(site: NewSite): Promise<Site> {
    const { id, workspaceId, slug, name, createdAt } = site
    const row = { id, workspaceId, slug, name: name ?? null, state: 'creating', createdAt } as const
    const [written] = await this.#database.write((db) => [
      db
        .insertInto('sites')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .returningAll(),
    ])
    const [inserted] = written?.rows ?? []
    if (inserted === undefined) throw await this.#refusalOf(site)
    return readSite(inserted)
  }

  /** Gives a site in the state `creating` another id; false if another site has that id. */
  async giveId(id: string, other: string): Promise<boolean> {
    try {
      await this.#database.write((db) => [
        db.updateTable('sites').set({ id: other }).where('id', '=', id).where('state', '=', 'creating'),
      ])
      return true
    } catch (error) {
      if (isTaken(error)) return false
      throw error
    }
  }

  async #refusalOf(site: NewSite): Promise<ServiceError> {
    const holder = await this.#database.db
      .selectFrom('sites')
      .select('id')
      .where('slug', '=', site.slug)
      .executeTakeFirst()
    return holder === undefined
      ? new ServiceError('conflict', `There is already a site with the id ${site.id}.`, { id: site.id })
      : new ServiceError('slug_taken', `The slug "${site.slug}" is or was in use: choose another.`, { slug: site.slug })
  }

  /**
   * Makes a site live; call it once the repository is in place and durable. If a starting process took the creating process for dead
   * and dropped the row meanwhile, the row is inserted again. Throws `slug_taken` if another site has taken the slug since.
   */
  async markLive({ id, workspaceId, slug, name, createdAt }: NewSite): Promise<void> {
    try {
      await this.#database.write((db) => [
        db
          .insertInto('sites')
          .values({ id, workspaceId, slug, name: name ?? null, state: 'live', createdAt })
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet({ state: 'live' }).where('sites.state', '=', 'creating'),
          ),
      ])
    } catch (error) {
      if (isTaken(error)) throw await this.#refusalOf({ id, workspaceId, slug, createdAt })
      throw error
    }
  }

  /** Changes at least one setting; the others stay as they are. */
  async configure(
    id: string,
    { name, publicHistory, markdown, search, publicRepository, guestComments }: Partial<SiteSettings>,
  ): Promise<void> {
    const changed = {
      name,
      publicHistory: columnOf(publicHistory),
      markdown: columnOf(markdown),
      search: columnOf(search),
      publicRepository: columnOf(publicRepository),
      guestComments: columnOf(guestComments),
    }
    await this.#database.write((db) => [db.updateTable('sites').set(changed).where('id', '=', id)])
    this.#known.forgetAll()
  }

  /** Changes the protection of a site, and which keys are excepted from it. */
  async protect(id: string, { protection, approvers }: SiteProtection, exceptedKeys: readonly string[]): Promise<void> {
    const exceptions = exceptedKeys.map((keyId) => ({ siteId: id, keyId }))
    await this.#database.write((db) => [
      db.updateTable('sites').set({ protection, approvers }).where('id', '=', id),
      db.deleteFrom('protectionExceptions').where('siteId', '=', id),
      ...exceptions.map((row) => db.insertInto('protectionExceptions').values(row)),
    ])
    this.#known.forgetAll()
  }

  /** Marks a site as deleted. Look-ups no longer find it, its mirror is forgotten, and its slug is never used again. */
  async markDeleted(id: string): Promise<void> {
    await this.#database.write((db) => [
      db.deleteFrom('mirrors').where('siteId', '=', id),
      db.updateTable('sites').set({ state: 'deleted' }).where('id', '=', id),
    ])
    this.#known.forgetAll()
  }

  /** Frees id and slug of a site that a restore could not bring back, so that it can be imported under both. */
  async release(id: string): Promise<void> {
    const tables = ['links', 'mirrors', 'pushes', 'withdrawals'] as const
    await this.#database.write((db) => [
      ...tables.map((table) => db.deleteFrom(table).where('siteId', '=', id)),
      ...forgetRequests(db, db.selectFrom('sites').select('id').where('id', '=', id)),
      db.deleteFrom('sites').where('id', '=', id),
    ])
    this.#known.forgetAll()
  }

  /** Removes what is stored about a deleted site. Its row stays: it keeps the slug from being used again. */
  async forgetDeleted(id: string): Promise<void> {
    const tables = ['links', 'pushes', 'withdrawals'] as const
    await this.#database.write((db) => {
      const deleted = db.selectFrom('sites').select('id').where('id', '=', id).where('state', '=', 'deleted')
      return [
        ...tables.map((table) => db.deleteFrom(table).where('siteId', 'in', deleted)),
        ...forgetRequests(db, deleted),
      ]
    })
  }

  /** Removes a site that never became live, and frees its slug: neither was ever visible. */
  async dropCreating(id: string): Promise<void> {
    await this.#database.write((db) => [db.deleteFrom('sites').where('id', '=', id).where('state', '=', 'creating')])
  }

  /** Finds a live site of that workspace. Synchronous, as every request asks it. */
  find(workspaceId: string, id: string): Site | undefined {
    const row = this.#byId.first([workspaceId, id])
    return row && readSite(row)
  }

  /**
   * Finds a live site of any workspace, for hosted pages, which are public. Synchronous, mostly from memory. The answer includes
   * every change that any process committed before the present callback of the event loop.
   */
  findBySlug(slug: string): Site | undefined {
    return this.#known.find(slug, () => this.readBySlug(slug))
  }

  /** Does the same, but never from memory: the time it takes does not show whether others use such a site. */
  readBySlug(slug: string): Site | undefined {
    const row = this.#bySlug.first([slug])
    const site = row && readSite(row)
    return site?.slug === slug && site.state === 'live' ? site : undefined
  }

  /** Forgets a site after its row was changed elsewhere: SQLite does not tell a connection about its own commits. */
  expire(slug: string): void {
    this.#known.forget(slug)
  }

  /** Finds live sites of all workspaces whose ids begin with the prefix. Synchronous. */
  findByIdPrefix(prefix: string): Site[] {
    // `g` sorts after every hexadecimal digit and the hyphen.
    return this.#byIdPrefix.all([prefix, `${prefix}g`]).map(readSite)
  }

  /** Lists the protected sites of the workspace, by slug. Synchronous. */
  protectedIn(workspaceId: string): Site[] {
    return this.#protectedIn.all([workspaceId]).map(readSite)
  }

  /** Finds the site with this id, also a deleted one. */
  findOfAnyState(id: string): Site | undefined {
    const row = this.#ofAnyState.first([id])
    return row && readSite(row)
  }

  /** Lists the ids of the workspace's live sites, by slug. Synchronous. */
  listIds(workspaceId: string): string[] {
    return this.#idsOf.all([workspaceId]).map(({ id }) => id)
  }

  /** Lists the live sites of the workspace, by slug. */
  async list(workspaceId: string, page: SitesPage = {}): Promise<Site[]> {
    if (page.only?.length === 0) return []
    let query = this.#database.db
      .selectFrom('sites')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .where('state', '=', 'live')
      .orderBy('slug')
    if (page.only) query = query.where('id', 'in', page.only)
    if (page.slug !== undefined) query = query.where('slug', '=', page.slug)
    if (page.after !== undefined) query = query.where('slug', '>', page.after)
    if (page.limit !== undefined) query = query.limit(page.limit)
    return (await query.execute()).map(readSite)
  }

  /** Lists the live sites of all workspaces, by slug, for the operator's commands. */
  async listLive(): Promise<Site[]> {
    return this.#listInState('live')
  }

  /** Lists sites whose creation was interrupted. */
  async listCreating(): Promise<Site[]> {
    return this.#listInState('creating')
  }

  async listDeleted(): Promise<Site[]> {
    return this.#listInState('deleted')
  }

  async #listInState(state: Site['state']): Promise<Site[]> {
    const rows = await this.#database.db
      .selectFrom('sites')
      .selectAll()
      .where('state', '=', state)
      .orderBy('slug')
      .execute()
    return rows.map(readSite)
  }
}

function readSite(row: SiteRow): Site {
  const { id, workspaceId, slug, name, state, createdAt, withdrawals } = row
  return {
    id,
    workspaceId,
    slug,
    name,
    state,
    createdAt,
    withdrawals,
    publicHistory: row.publicHistory !== 0,
    markdown: row.markdown !== 0,
    search: row.search !== 0,
    publicRepository: row.publicRepository !== 0,
    guestComments: row.guestComments !== 0,
    protection: readProtection(row.protection),
    approvers: readApprovers(row.approvers),
  }
}

/** Returns the column's value. An undefined one is not written. */
function columnOf(setting: boolean | undefined): number | undefined {
  return setting === undefined ? undefined : Number(setting)
}
