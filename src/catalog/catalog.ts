// The truth about who: workspaces, sites, keys and grants in `<data dir>/catalog.db`, on disk before a change is answered.
// What every request asks (`find…`, `grantsTo`) is answered at once; everything else is a promise, as Kysely gives it.

import { join } from 'node:path'
import type { Clock } from '../model/clock.js'
import { catalogMigrations } from './catalog-migrations.js'
import { openDatabase } from './database.js'
import { Grants } from './grants.js'
import { IdempotencyRecords } from './idempotency.js'
import { KeyUsage } from './key-usage.js'
import { Keys } from './keys.js'
import { Links } from './links.js'
import { Sessions } from './sessions.js'
import { Sites } from './sites.js'
import type { CatalogTables } from './tables.js'
import { Withdrawals } from './withdrawals.js'
import { Workspaces } from './workspaces.js'

export interface Catalog {
  readonly workspaces: Workspaces
  readonly sites: Sites
  readonly keys: Keys
  readonly keyUsage: KeyUsage
  readonly grants: Grants
  readonly sessions: Sessions
  readonly idempotency: IdempotencyRecords
  readonly links: Links
  readonly withdrawals: Withdrawals
  /** Makes `file` a whole copy as of this moment, beside whoever writes. It must not exist, and is not synced. */
  copyTo(file: string): void
  /** Writes down the last uses of keys and lets go of the file. */
  close(): void
}

export interface CatalogOptions {
  clock?: Clock
}

/** Any number of processes may have the catalog open; each sees the others' changes with its next statement (see `findBySlug`). */
export async function openCatalog(dataDir: string, options: CatalogOptions = {}): Promise<Catalog> {
  const clock = options.clock ?? (() => new Date())
  const database = await openDatabase<CatalogTables>(join(dataDir, 'catalog.db'), {
    synchronous: 'FULL',
    migrations: catalogMigrations,
  })
  const keys = new Keys(database, clock)
  const keyUsage = new KeyUsage(keys, clock)
  return {
    workspaces: new Workspaces(database),
    sites: new Sites(database),
    keys,
    keyUsage,
    grants: new Grants(database),
    sessions: new Sessions(database, clock),
    idempotency: new IdempotencyRecords(database, clock),
    links: new Links(database, clock),
    withdrawals: new Withdrawals(database, clock),
    copyTo: (file) => database.sqlite.exec(`VACUUM INTO '${file.replaceAll("'", "''")}'`),
    close() {
      try {
        keyUsage.flush()
      } finally {
        database.close()
      }
    },
  }
}
