// Lets the service, commands and the threads of the index write the same files while others copy the log into the file. A driver whose
// SQLite begins the log anew at the wrong moment loses rows here, or damages the file.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openCatalog } from '../../../src/catalog/catalog.js'
import { catalogFileIn } from '../../../src/catalog/catalog-file.js'
import { openSqlite, type SqliteHandle } from '../../../src/catalog/sqlite/sqlite.js'
import { siteFileOf } from '../../../src/index/tables/site-file.js'
import { TextFiles } from '../../../src/index/text/text-file.js'
import { type Shared, SHARED_SITE, type SharerRole } from '../load/shared-files.js'
import type { FaultProgram, Report } from '../program.js'

const SHARER = fileURLToPath(new URL('../load/file-sharer.js', import.meta.url))
const ROUNDS = Number(process.env['CHECKPOINT_ROUNDS'] ?? 20)
const ROUND_MS = 20_000

/** The processes of a round, by their names. The rounds take turns. */
const CATALOG_SHARERS: Readonly<Record<string, SharerRole>> = {
  service: 'service',
  commands: 'commands',
  copier: 'catalog-checkpoints',
}
const INDEX_SHARERS: Readonly<Record<string, SharerRole>> = {
  'indexer 1': 'indexer',
  'indexer 2': 'indexer',
  copier: 'index-checkpoints',
}
/** A file system in memory: with no wait for a disk, more happens at once. */
const MEMORY = '/dev/shm'

export const checkpoints: FaultProgram = {
  name: 'checkpoints',
  about: 'several processes write the catalog and an index, and copy their logs at every moment',
  needs: [],
  async run(report) {
    for (let round = 1; round <= ROUNDS; round++) {
      report.begin(`round ${round}`, ROUNDS)
      const dataDir = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'palimpsest-checkpoints-'))
      try {
        await shareFiles(dataDir, round % 2 === 1 ? CATALOG_SHARERS : INDEX_SHARERS, report)
      } finally {
        rmSync(dataDir, { recursive: true, force: true })
      }
    }
  },
}

async function shareFiles(
  dataDir: string,
  sharers: Readonly<Record<string, SharerRole>>,
  report: Report,
): Promise<void> {
  await (await openCatalog(dataDir)).close()
  const texts = new TextFiles(dataDir)
  texts.open(SHARED_SITE)
  texts.close()
  const ended = await Promise.all(Object.entries(sharers).map(async ([name, role]) => share(name, role, dataDir)))
  const catalogFile = catalogFileIn(dataDir)
  const textFile = siteFileOf(dataDir, SHARED_SITE, 'text').path
  for (const { name, role, acknowledged, faults } of ended) {
    for (const fault of faults) report.violate(`${name}: ${fault}`)
    if (role.endsWith('checkpoints')) continue
    report.acknowledge(acknowledged)
    const found = role === 'indexer' ? indexed(textFile, name) : recorded(catalogFile, name)
    if (found < acknowledged) report.lose(`${name}: ${found} rows of ${acknowledged} that were acknowledged`)
  }
  for (const file of [catalogFile, textFile]) judge(file, report)
}

async function share(
  name: string,
  role: SharerRole,
  dataDir: string,
): Promise<Shared & { name: string; role: SharerRole }> {
  const child = fork(SHARER, [role, dataDir, name, String(ROUND_MS)])
  const exited = once(child, 'exit')
  const [shared] = (await Promise.race([once(child, 'message'), exited])) as [unknown]
  await exited
  if (typeof shared !== 'object' || shared === null) {
    return { name, role, acknowledged: 0, faults: [`it ended with ${String(shared)}`] }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it sends nothing else
  return { name, role, ...(shared as Shared) }
}

const recorded = (file: string, name: string) =>
  countIn(file, 'SELECT count(*) AS rows FROM audit_entries WHERE workspace_id = ?', name)

const indexed = (file: string, name: string) =>
  countIn(file, "SELECT count(*) AS rows FROM targets WHERE target GLOB ? || ' *'", name)

/** Counts rows; none if the file cannot be read, which `judge` reports. */
function countIn(file: string, query: string, name: string): number {
  return inFile(file, (sqlite) => sqlite.prepare<{ rows: number }>(query).first([name])?.rows, 0) ?? 0
}

function judge(file: string, report: Report): void {
  const check = (sqlite: SqliteHandle) => sqlite.prepare<Record<string, string>>('PRAGMA integrity_check(3)').all([])
  const found = inFile(file, check, [{ error: 'it cannot be read' }]).flatMap((row) => Object.values(row))
  if (found.join() !== 'ok') report.violate(`${file}: ${found.join('; ')}`)
}

function inFile<T>(file: string, ask: (sqlite: SqliteHandle) => T, none: T): T {
  const sqlite = openSqlite(file, { synchronous: 'NORMAL', mustExist: true })
  try {
    return ask(sqlite)
  } catch {
    return none
  } finally {
    sqlite.close()
  }
}
