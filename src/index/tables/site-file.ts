// The files of a site's index: where they are, and how one is created and removed. Both happen under one lock, so that no thread or
// process removes the log of a file that another has just created.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { identityOf } from '../../catalog/sqlite/file-identity.js'
import { lockFile } from '../../catalog/sqlite/file-lock.js'
import { openSqlite, type SqliteHandle } from '../../catalog/sqlite/sqlite.js'
import { sqliteCode } from '../../catalog/sqlite/sqlite-errors.js'
import { ServiceError } from '../../model/errors.js'

/** Other holders keep the lock for milliseconds. */
const MAX_LOCK_WAIT_MS = 5_000

/** A site has two files: its rows, and the text that is searched. */
export type FileKind = 'rows' | 'text'

export interface SiteFile {
  dataDir: string
  path: string
}

export function siteFileOf(dataDir: string, siteId: string, kind: FileKind): SiteFile {
  const name = kind === 'rows' ? `${siteId}.db` : `${siteId}.text.db`
  return { dataDir, path: join(dataDir, 'index', siteId.slice(0, 2), name) }
}

/** Removes the file with its log. With `identity`, only if the file at the path is still that one. */
export function removeSiteFile({ dataDir, path }: SiteFile, identity = identityOf(path)): void {
  whileLocked(dataDir, () => {
    if (identityOf(path) === identity) remove(path)
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
