// The file `catalog.db`. Only it says who owns the sites and which keys open them. So a lost or damaged one is never
// replaced by an empty one while there are repositories of sites.

import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ServiceError } from '../model/errors.js'
import { NewerDatabase } from './database/database.js'
import { sqliteCode } from './sqlite/sqlite-errors.js'

/** Thrown until the operator restores the catalog or has it recovered; nothing works on the data directory before that. */
export class CatalogUnusable extends Error {
  override name = 'CatalogUnusable'

  constructor(file: string, state: string, cause?: unknown) {
    super(
      `${file} ${state}. Only the catalog records which workspace owns each site. Restore it from a backup, or run "palimpsest ` +
        'recover", which makes a new one from the repositories: docs/repair.md, "The catalog".',
      { cause },
    )
  }
}

/** Thrown by a process that only reads the catalog: the operator must start the role `api`, or another version of the program. */
export class CatalogNotReady extends Error {
  override name = 'CatalogNotReady'
}

/** File name of the copy of a shared catalog. It is not `catalog.db`, so no command for a single machine takes the copy for the truth. */
export const CATALOG_COPY = 'catalog-copy.db'

export function catalogFileIn(dataDir: string): string {
  return join(dataDir, 'catalog.db')
}

/** Lists the slugs of the repositories in the data directory. */
export function listRepositories(dataDir: string): string[] {
  return readdirSync(dataDir, { withFileTypes: true })
    .filter((entry) => !entry.isFile() && /^[^.].*\.git$/.test(entry.name))
    .map(({ name }) => name.slice(0, -'.git'.length))
    .toSorted()
}

/** Throws CatalogUnusable if there are repositories and the file is missing or empty. */
export function refuseLostCatalog(dataDir: string): void {
  const file = catalogFileIn(dataDir)
  const size = statSync(file, { throwIfNoEntry: false })?.size
  const isInLog = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  if (size === undefined || (size === 0 && !isInLog)) {
    if (listRepositories(dataDir).length > 0)
      throw new CatalogUnusable(file, size === undefined ? 'is missing' : 'is empty')
  }
}

/** Checks for a process that creates no catalog. Throws CatalogNotReady, and CatalogUnusable as `refuseLostCatalog` does. */
export function refuseWithoutCatalog(dataDir: string): void {
  const start = 'start the role api first.'
  if (!existsSync(dataDir)) throw new CatalogNotReady(`DATA_DIR (${dataDir}) is not there: ${start}`)
  refuseLostCatalog(dataDir)
  if (!existsSync(catalogFileIn(dataDir)))
    throw new CatalogNotReady(`DATA_DIR (${dataDir}) has no catalog yet: ${start}`)
}

/**
 * Explains an error from opening the file or from its first statements. Returns CatalogUnusable if the file itself is damaged.
 * SQLite writes even in order to read.
 */
export function explainUnusable(file: string, error: unknown): unknown {
  if (error instanceof NewerDatabase) return new ServiceError('conflict', error.message)
  const code = sqliteCode(error) ?? ''
  if (!/^SQLITE_(CORRUPT|NOTADB|ERROR|CANTOPEN|IOERR_SHORT_READ)/.test(code)) return error
  const refusal = writeRefusal(dirname(file))
  if (refusal !== undefined) return new ServiceError('storage_failed', `${file} cannot be opened: ${refusal}`)
  const reason = error instanceof Error ? error.message : String(error)
  return new CatalogUnusable(file, `cannot be read (${code}: ${reason})`, error)
}

/** Returns why this process may not write in the folder; undefined if it may. */
function writeRefusal(folder: string): string | undefined {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
