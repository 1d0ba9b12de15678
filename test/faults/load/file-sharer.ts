// One of the processes that share the catalog and the text file of a site: `file-sharer.js <role> <data dir> <name> <milliseconds>`.
// It writes rows until its time is over, and sends how many were acknowledged and what went wrong.

import { catalogOf } from '../../../src/catalog/catalog.js'
import { catalogFileIn } from '../../../src/catalog/catalog-file.js'
import { catalogMigrations } from '../../../src/catalog/database/catalog-migrations.js'
import { openDatabase } from '../../../src/catalog/database/database.js'
import type { CatalogTables } from '../../../src/catalog/database/tables.js'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { sqliteCode } from '../../../src/catalog/sqlite/sqlite-errors.js'
import { siteFileOf } from '../../../src/index/tables/site-file.js'
import { TextFiles } from '../../../src/index/text/text-file.js'
import { type Shared, SHARED_SITE, type SharerRole } from './shared-files.js'

/** A log is copied into its file as soon as it has a page, by whoever wrote it: each connection does so at each write. */
const COPY_AT_ONCE = 'PRAGMA wal_autocheckpoint = 1'

/** The writes of one command. */
const COMMAND_WRITES = 50

const [, , role = '', dataDir = '', name = '', milliseconds = '0'] = process.argv
const end = performance.now() + Number(milliseconds)
const shared: Shared = { acknowledged: 0, faults: [] }

async function openCatalog() {
  const database = await openDatabase<CatalogTables>(catalogFileIn(dataDir), {
    synchronous: 'FULL',
    migrations: catalogMigrations,
  })
  database.sqlite.exec(COPY_AT_ONCE)
  return catalogOf(database, () => new Date())
}

type OpenCatalog = Awaited<ReturnType<typeof openCatalog>>

async function record(catalog: OpenCatalog): Promise<void> {
  const actor = { kind: 'key', id: name } as const
  await catalog.audit.record({ workspaceId: name, actor, action: 'key.create', target: `key ${shared.acknowledged}` })
}

/** Does the work again and again, or so many times. A write that was refused because of a lock is no acknowledged one. */
async function repeat(work: () => void | Promise<void>, times = Infinity): Promise<void> {
  for (let time = 0; time < times && performance.now() < end && shared.faults.length === 0; time++) {
    try {
      await work()
      shared.acknowledged++
    } catch (error) {
      if (sqliteCode(error)?.startsWith('SQLITE_BUSY') === true) continue
      shared.faults.push(String((error as Error).cause ?? error))
    }
  }
}

/** Opens the catalog for some writes after another. */
async function repeatCommands(): Promise<void> {
  while (performance.now() < end && shared.faults.length === 0) {
    const catalog = await openCatalog()
    await repeat(() => record(catalog), COMMAND_WRITES)
    await catalog.close()
  }
}

function copyAgainAndAgain(file: string): Promise<void> {
  const sqlite = openSqlite(file, { synchronous: 'NORMAL', mustExist: true })
  const copy = sqlite.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  return repeat(() => void copy.all([])).finally(() => sqlite.close())
}

const ROLES: Readonly<Record<SharerRole, () => Promise<void>>> = {
  async service() {
    const catalog = await openCatalog()
    await repeat(() => record(catalog))
    await catalog.close()
  },
  commands: repeatCommands,
  async indexer() {
    const texts = new TextFiles(dataDir)
    const text = texts.open(SHARED_SITE)
    text.first(COPY_AT_ONCE, [])
    await repeat(() => text.run('INSERT INTO targets (target) VALUES (?)', [`${name} ${shared.acknowledged}`]))
    texts.close()
  },
  'catalog-checkpoints': () => copyAgainAndAgain(catalogFileIn(dataDir)),
  'index-checkpoints': () => copyAgainAndAgain(siteFileOf(dataDir, SHARED_SITE, 'text').path),
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the program that starts it names a role
await ROLES[role as SharerRole]()
process.send?.(shared)
