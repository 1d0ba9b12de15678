// The files of a site's index: where they are, and how one is created and removed. Both happen under one lock, so that no thread or
// process removes the log of a file that another has just created.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { identityOf } from '../../catalog/sqlite/file-identity.js'
import { lockFile } from '../../catalog/sqlite/file-lock.js'
import { openSqlite, type SqliteHandle } from '../../catalog/sqlite/sqlite.js'
import { sqliteCode } from '../../catalog/sqlite/sqlite-errors.js'
import { ServiceError } from '../../model/errors.js'

/** Other holders keep the lock for milliseconds. */
const MAX_LOCK_WAIT_MS = 5_000

/** Codes that say that the copy cannot be written; others speak of the file that is copied. */
const CANNOT_WRITE = /^SQLITE_(?:FULL|IOERR_(?:WRITE|FSYNC)|CANTOPEN)/
/** Ending of the name of a copy that is being made. */
const COPY = '.copy'

/** Beginning a change request takes far less. */
const YOUNG_MS = 24 * 3600_000

/** A site has two files: its rows, and the text that is searched. */
export type FileKind = 'rows' | 'text'

export interface SiteFile {
  dataDir: string
  path: string
}

/** With `request`, the rows of a change request of the site. */
export function siteFileOf(dataDir: string, siteId: string, kind: FileKind, request?: string): SiteFile {
  const place = request === undefined ? siteId : `${siteId}.${request}`
  const name = kind === 'rows' ? `${place}.db` : `${place}.text.db`
  return { dataDir, path: join(dataDir, 'index', siteId.slice(0, 2), name) }
}

/** Removes the files of the change requests of a site, except those named. */
export function removeRequestFiles(dataDir: string, siteId: string, except?: ReadonlySet<string>): void {
  const folder = join(dataDir, 'index', siteId.slice(0, 2))
  const form = new RegExp(`^${siteId}\\.([0-9a-f-]{36})\\.db(?:${COPY})?$`)
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const [, request] = form.exec(name) ?? []
    const path = join(folder, name)
    if (request === undefined || except?.has(request) === true || (except !== undefined && isYoung(path))) continue
    removeSiteFile({ dataDir, path })
  }
}

/** Whether the file may be of a change request that begins now: that has its rows before its branch. */
function isYoung(path: string): boolean {
  const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  return changedAt === undefined || Date.now() - changedAt < YOUNG_MS
}

/** Removes the file with its log. With `identity`, only if the file at the path is still that one. */
export function removeSiteFile({ dataDir, path }: SiteFile, identity = identityOf(path)): void {
  whileLocked(dataDir, () => {
    if (identityOf(path) === identity) remove(path)
  })
}

/** Makes the file a copy of another site file, as of one moment. Replaces what is there. Throws the driver's errors. */
export function copySiteFile(from: SqliteHandle, { dataDir, path }: SiteFile): void {
  const draft = `${path}${COPY}`
  remove(draft)
  try {
    // Takes the longer the larger the site is, so others do not wait for it under the lock. One thread makes all copies.
    from.exec(`VACUUM INTO '${draft.replaceAll("'", "''")}'`)
  } catch (error) {
    remove(draft)
    throw CANNOT_WRITE.test(sqliteCode(error) ?? '') ? refusalOf(error) : error
  }
  whileLocked(dataDir, () => {
    remove(path)
    renameSync(draft, path)
  })
}

/** Creates the file, unless it exists, as a copy of the first file that this thread made with `fill`. */
export function makeSiteFile(
  { dataDir, path }: SiteFile,
  pageBytes: number,
  fill: (handle: SqliteHandle) => void,
): void {
  whileLocked(dataDir, () => {
    if (existsSync(path)) return
    mkdirSync(dirname(path), { recursive: true })
    // A log without its file belongs to a removed file: it would be replayed into the new one.
    remove(path)
    const draft = `${path}.new`
    remove(draft)
    writeFileSync(draft, templates.get(fill) ?? makeTemplate(draft, pageBytes, fill))
    renameSync(draft, path)
  })
}

/** Empty files with tables, by the function that made them. */
const templates = new Map<(handle: SqliteHandle) => void, Buffer>()

function makeTemplate(path: string, pageBytes: number, fill: (handle: SqliteHandle) => void): Buffer {
  const handle = openSqlite(path, { synchronous: 'NORMAL', pageBytes })
  try {
    handle.transact(() => fill(handle))
  } finally {
    handle.close()
  }
  const template = readFileSync(path)
  templates.set(fill, template)
  return template
}

function remove(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true, recursive: true })
}

function whileLocked(dataDir: string, work: () => void): void {
  try {
    const unlock = lockFile(join(dataDir, 'index.lock.db'), MAX_LOCK_WAIT_MS)
    try {
      work()
    } finally {
      unlock()
    }
  } catch (error) {
    throw refusalOf(error)
  }
}

/** Turns an error into a refusal. Only the disk, or something at the path, keeps a file from being created or removed. */
function refusalOf(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC' || sqliteCode(error) === 'SQLITE_FULL'
  const refusal = new ServiceError(
    isFull ? 'storage_full' : 'storage_failed',
    'The files of the index cannot be written.',
  )
  return Object.assign(refusal, { cause: error })
}
