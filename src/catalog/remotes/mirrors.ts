// The mirror of each site: where it is, what is known of it, and when it is tried next. Credentials are here only as they are sealed.
// Everything is durable when it returns.

import type { OpenDatabase, Write } from '../database/database.js'
import type { SqliteStatement } from '../sqlite/sqlite.js'
import type { CatalogTables } from '../database/tables.js'

export interface Mirror {
  siteId: string
  url: string
  /** Null where the remote takes pushes without any. */
  sealedCredentials: string | null
  /** `behind`: not tried yet, or again from now on. `off`: it cannot be tried without its credentials. */
  state: 'ok' | 'behind' | 'diverged' | 'failed' | 'off'
  /** Main of the remote when it was last seen; null where it has none, or was never seen. */
  remoteOid: string | null
  /** Why it is not `ok`; null where it is, or was not tried yet. */
  error: string | null
  /** How often in a row it failed. */
  failures: number
  /** Milliseconds since the epoch; it is not tried before. */
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

  /** In place of the one that the site has, where it has one. The tags of another URL are forgotten. */
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

  /** Records what became of a try with `tried`; nothing where the site's mirror was changed or removed meanwhile. */
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

  /** Of all workspaces; first those that failed least. */
  list(): Mirror[] {
    return this.#all.all([])
  }

  /** The tags that the remote has from the site, or may have where a push was cut short: each as `<oid> <name>`. */
  tagsOf(siteId: string): ReadonlySet<string> {
    const tags = this.#tags.first([siteId])?.tags ?? ''
    return new Set(tags === '' ? [] : tags.split('\n'))
  }

  /** Nothing where the site's mirror is elsewhere, or was removed meanwhile. */
  async keepTags({ siteId, url }: Pick<Mirror, 'siteId' | 'url'>, tags: ReadonlySet<string>): Promise<void> {
    const kept = [...tags].toSorted().join('\n')
    await this.#write((db) => [
      db.updateTable('mirrors').set({ tags: kept }).where('site_id', '=', siteId).where('url', '=', url).compile(),
    ])
  }

  /** Switches all of them off, for this reason. Answers how many there are. */
  async holdBack(reason: string): Promise<number> {
    const [held] = await this.#write((db) => [db.updateTable('mirrors').set({ state: 'off', error: reason }).compile()])
    return held?.count ?? 0
  }

  /** False where the site has none. */
  async remove(siteId: string): Promise<boolean> {
    const [removed] = await this.#write((db) => [db.deleteFrom('mirrors').where('site_id', '=', siteId).compile()])
    return removed?.count === 1
  }
}

function outcomeOf({ state, remoteOid, error, failures, nextTryAt, okAt }: Mirror) {
  return { state, remote_oid: remoteOid, error, failures, next_try_at: nextTryAt, ok_at: okAt }
}
