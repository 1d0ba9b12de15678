// The mirror of each site: its URL, its last known state, and the time of the next try. Credentials are stored only sealed.
// Every change is durable when it returns.

import type { CatalogDatabase, Row } from '../database/catalog-database.js'
import type { SqliteStatement } from '../sqlite/statement.js'

type MirrorRow = Row<'mirrors'>

export type Mirror = Omit<MirrorRow, 'tags'>

export class Mirrors {
  readonly #database: CatalogDatabase
  readonly #find: SqliteStatement<MirrorRow>
  readonly #all: SqliteStatement<MirrorRow>

  constructor(database: CatalogDatabase) {
    this.#database = database
    this.#find = database.prepare('SELECT * FROM mirrors WHERE site_id = ?')
    this.#all = database.prepare('SELECT * FROM mirrors ORDER BY failures, next_try_at')
  }

  /** Stores a mirror in place of the site's present one, if any. The tags of another URL are forgotten. */
  async put(mirror: Mirror): Promise<void> {
    const tags = this.find(mirror.siteId)?.url === mirror.url ? {} : { tags: '' }
    const row = { url: mirror.url, sealedCredentials: mirror.sealedCredentials, ...outcomeOf(mirror), ...tags }
    await this.#database.write((db) => [
      db
        .insertInto('mirrors')
        .values({ siteId: mirror.siteId, ...row })
        .onConflict((conflict) => conflict.column('siteId').doUpdateSet(row)),
    ])
  }

  /** Records the result of a try with `tried`. Does nothing if the site's mirror was changed or removed meanwhile. */
  async settle(tried: Mirror, after: Mirror): Promise<void> {
    await this.#database.write((db) => [
      db
        .updateTable('mirrors')
        .set(outcomeOf(after))
        .where('siteId', '=', tried.siteId)
        .where('url', '=', tried.url)
        .where('state', '=', tried.state)
        .where('failures', '=', tried.failures)
        .where('nextTryAt', '=', tried.nextTryAt),
    ])
  }

  find(siteId: string): Mirror | undefined {
    const row = this.#find.first([siteId])
    return row && readMirror(row)
  }

  /** Lists the mirrors of all workspaces; those that failed least come first. */
  list(): Mirror[] {
    return this.#all.all([]).map(readMirror)
  }

  /** Returns the tags that the remote has from the site, or may have if a push was cut short: each as `<oid> <name>`. */
  tagsOf(siteId: string): ReadonlySet<string> {
    const tags = this.#find.first([siteId])?.tags ?? ''
    return new Set(tags === '' ? [] : tags.split('\n'))
  }

  /** Stores the tags. Does nothing if the site's mirror has another URL or was removed meanwhile. */
  async keepTags({ siteId, url }: Pick<Mirror, 'siteId' | 'url'>, tags: ReadonlySet<string>): Promise<void> {
    const kept = [...tags].toSorted().join('\n')
    await this.#database.write((db) => [
      db.updateTable('mirrors').set({ tags: kept }).where('siteId', '=', siteId).where('url', '=', url),
    ])
  }

  /** Switches all mirrors off, for this reason. Returns their number. */
  async holdBack(reason: string): Promise<number> {
    const [held] = await this.#database.write((db) => [db.updateTable('mirrors').set({ state: 'off', error: reason })])
    return held?.count ?? 0
  }

  /** Removes the mirror of a site. False if the site has none. */
  async remove(siteId: string): Promise<boolean> {
    const [removed] = await this.#database.write((db) => [db.deleteFrom('mirrors').where('siteId', '=', siteId)])
    return removed?.count === 1
  }
}

function readMirror({ tags: _tags, ...mirror }: MirrorRow): Mirror {
  return mirror
}

function outcomeOf({ state, remoteOid, error, failures, nextTryAt, okAt }: Mirror) {
  return { state, remoteOid, error, failures, nextTryAt, okAt }
}
