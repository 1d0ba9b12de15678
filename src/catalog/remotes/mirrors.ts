// The mirror of each site: its URL, its last known state, and the time of the next try. Credentials are stored only sealed.
// Every change is durable when it returns.

import type { OpenDatabase, Write } from '../database/database.js'
import type { SqliteStatement } from '../sqlite/statement.js'
import type { CatalogTables } from '../database/tables.js'

export interface Mirror {
  siteId: string
  url: string
  /** Null if the remote takes pushes without credentials. */
  sealedCredentials: string | null
  /** `behind`: not tried yet, or to be tried again. `off`: cannot be tried without its credentials. */
  state: 'ok' | 'behind' | 'diverged' | 'failed' | 'off'
  /** Main of the remote when it was last seen; null if it has none or was never seen. */
  remoteOid: string | null
  /** Reason why it is not `ok`; null if it is, or was not tried yet. */
  error: string | null
  /** Number of failures in a row. */
  failures: number
  /** Milliseconds since the epoch; no try before that time. */
  nextTryAt: number
  /** When the remote last showed the site's head. RFC 3339. */
  okAt: string | null
}

const COLUMNS = `site_id AS siteId, url, sealed_credentials AS sealedCredentials, state, remote_oid AS remoteOid, error, failures,
  next_try_at AS nextTryAt, ok_at AS okAt`

export class Mirrors {
  readonly #write: Write<CatalogTables>
  readonly #find: SqliteStatement<Mirror>
  readonly #all: SqliteStatement<Mirror>
  readonly #tags: SqliteStatement<{ tags: string }>

  constructor({ sqlite, write }: OpenDatabase<CatalogTables>) {
    this.#write = write
    this.#find = sqlite.prepare(`SELECT ${COLUMNS} FROM mirrors WHERE site_id = ?`)
    this.#all = sqlite.prepare(`SELECT ${COLUMNS} FROM mirrors ORDER BY failures, next_try_at`)
    this.#tags = sqlite.prepare('SELECT tags FROM mirrors WHERE site_id = ?')
  }

  /** Stores a mirror in place of the site's present one, if any. The tags of another URL are forgotten. */
  async put(mirror: Mirror): Promise<void> {
    const tags = this.find(mirror.siteId)?.url === mirror.url ? {} : { tags: '' }
    const row = { url: mirror.url, sealed_credentials: mirror.sealedCredentials, ...outcomeOf(mirror), ...tags }
    await this.#write((db) => [
      db
        .insertInto('mirrors')
        .values({ site_id: mirror.siteId, ...row })
        .onConflict((conflict) => conflict.column('site_id').doUpdateSet(row))
        .compile(),
    ])
  }

  /** Records the result of a try with `tried`. Does nothing if the site's mirror was changed or removed meanwhile. */
  async settle(tried: Mirror, after: Mirror): Promise<void> {
    await this.#write((db) => [
      db
        .updateTable('mirrors')
        .set(outcomeOf(after))
        .where('site_id', '=', tried.siteId)
        .where('url', '=', tried.url)
        .where('state', '=', tried.state)
        .where('failures', '=', tried.failures)
        .where('next_try_at', '=', tried.nextTryAt)
        .compile(),
    ])
  }

  find(siteId: string): Mirror | undefined {
    return this.#find.first([siteId])
  }

  /** Lists the mirrors of all workspaces; those that failed least come first. */
  list(): Mirror[] {
    return this.#all.all([])
  }

  /** Returns the tags that the remote has from the site, or may have if a push was cut short: each as `<oid> <name>`. */
  tagsOf(siteId: string): ReadonlySet<string> {
    const tags = this.#tags.first([siteId])?.tags ?? ''
    return new Set(tags === '' ? [] : tags.split('\n'))
  }

  /** Stores the tags. Does nothing if the site's mirror has another URL or was removed meanwhile. */
  async keepTags({ siteId, url }: Pick<Mirror, 'siteId' | 'url'>, tags: ReadonlySet<string>): Promise<void> {
    const kept = [...tags].toSorted().join('\n')
    await this.#write((db) => [
      db.updateTable('mirrors').set({ tags: kept }).where('site_id', '=', siteId).where('url', '=', url).compile(),
    ])
  }

  /** Switches all mirrors off, for this reason. Returns their number. */
  async holdBack(reason: string): Promise<number> {
    const [held] = await this.#write((db) => [db.updateTable('mirrors').set({ state: 'off', error: reason }).compile()])
    return held?.count ?? 0
  }

  /** Removes the mirror of a site. False if the site has none. */
  async remove(siteId: string): Promise<boolean> {
    const [removed] = await this.#write((db) => [db.deleteFrom('mirrors').where('site_id', '=', siteId).compile()])
    return removed?.count === 1
  }
}

function outcomeOf({ state, remoteOid, error, failures, nextTryAt, okAt }: Mirror) {
  return { state, remote_oid: remoteOid, error, failures, next_try_at: nextTryAt, ok_at: okAt }
}
