// The mirror of each site: where it is, what is known of it, and when it is tried next. Credentials are here only as they are sealed.
// Everything is durable when it returns.

import type { SqliteHandle, SqliteStatement } from '../sqlite/sqlite.js'

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
  readonly #put: SqliteStatement<never>
  readonly #settle: SqliteStatement<never>
  readonly #remove: SqliteStatement<never>
  readonly #find: SqliteStatement<Mirror>
  readonly #active: SqliteStatement<Mirror>

  constructor({ sqlite }: { sqlite: SqliteHandle }) {
    this.#put = sqlite.prepare(
      `INSERT OR REPLACE INTO mirrors (site_id, url, sealed_credentials, state, remote_oid, error, failures, next_try_at, ok_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#settle = sqlite.prepare(
      'UPDATE mirrors SET state = ?, remote_oid = ?, error = ?, failures = ?, next_try_at = ?, ok_at = ? WHERE site_id = ?',
    )
    this.#remove = sqlite.prepare('DELETE FROM mirrors WHERE site_id = ?')
    this.#find = sqlite.prepare(`SELECT ${COLUMNS} FROM mirrors WHERE site_id = ?`)
    this.#active = sqlite.prepare(
      `SELECT ${COLUMNS} FROM mirrors WHERE state NOT IN ('off', 'diverged') ORDER BY failures, next_try_at`,
    )
  }

  /** In place of the one that the site has, where it has one. */
  put(mirror: Mirror): void {
    const { siteId, url, sealedCredentials, state, remoteOid, error, failures, nextTryAt, okAt } = mirror
    this.#put.run([siteId, url, sealedCredentials, state, remoteOid, error, failures, nextTryAt, okAt])
  }

  /** Records what became of a try; nothing where the site has no mirror any more. */
  settle({ siteId, state, remoteOid, error, failures, nextTryAt, okAt }: Mirror): void {
    this.#settle.run([state, remoteOid, error, failures, nextTryAt, okAt, siteId])
  }

  find(siteId: string): Mirror | undefined {
    return this.#find.first([siteId])
  }

  /** Those that are tried, of all workspaces; first those that failed least. */
  listActive(): Mirror[] {
    return this.#active.all([])
  }

  /** False where the site has none. */
  remove(siteId: string): boolean {
    return Number(this.#remove.run([siteId]).changes) > 0
  }
}
