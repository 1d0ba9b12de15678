// The files of one kind, for many sites, that one thread has open. Above a limit the longest unused file is closed.
// A file that is no longer at its path is closed too: its site was deleted, operators delete the index, and damaged files are removed.

import { accessSync, constants, statSync } from 'node:fs'
import { identityOf } from '../../catalog/sqlite/file-identity.js'
import { openSqlite, type SqliteHandle, type SqliteOptions } from '../../catalog/sqlite/sqlite.js'
import { onDisk, sqliteCode } from '../../catalog/sqlite/sqlite-errors.js'
import { filesToKeepOpen } from '../../threads/usable-descriptors.js'
import { removeSiteFile, type SiteFile } from './site-file.js'
import { prepareOn, type Sql } from './sql.js'

/** Each file takes three descriptors and about 200 KiB. */
const MAX_OPEN_FILES = filesToKeepOpen(100)
/** Result codes (sqlite.org/rescode.html) of a file that cannot be used, as opposed to a lock or a full disk. */
const DAMAGE_CODES = /^SQLITE_(CORRUPT|NOTADB|READONLY|IOERR_READ|IOERR_SHORT_READ)/

export interface OpenFile {
  handle: SqliteHandle
  sql: Sql
  /** Identifies the file, its log and the log's index. */
  identity: string
}

export interface OpenFilesOptions extends Pick<SqliteOptions, 'busyTimeout' | 'cacheKibibytes' | 'queryOnly'> {
  /** Whether the file has the right tables. */
  isUsable: (sql: Sql) => boolean
  /** Called after a damaged file was removed, with the reason. */
  onDamaged?: ((file: string, reason: unknown) => void) | undefined
}

export class OpenFiles {
  readonly #options: OpenFilesOptions
  /** By path, the last used one at the end. */
  readonly #open = new Map<string, OpenFile>()
  /** Paths of files that are looked at next. */
  #turns: string[] = []

  constructor(options: OpenFilesOptions) {
    this.#options = options
  }

  /** Returns the open file; undefined if there is none. A file with other tables is removed. Throws the driver's errors. */
  at(file: SiteFile): OpenFile | undefined {
    const { path } = file
    const known = this.#open.get(path)
    if (known === undefined) return this.#openAt(file)
    this.#open.delete(path)
    this.#open.set(path, known)
    return known
  }

  /**
   * Closes a file that is no longer at its path. Also removes a file whose companions (-wal, -shm) were removed. Processes that have it
   * open would keep the old companions, and others would make new ones. Neither would see what the other writes. Costs four `stat`, one of
   * them for another file.
   */
  refresh(file: SiteFile): void {
    this.#closeIfGone()
    const known = this.#open.get(file.path)
    if (known === undefined || known.handle.inTransaction || identityAt(file.path) === known.identity) return
    this.close(file)
    const main = mainOf(known.identity)
    if (identityOf(file.path) === main) removeSiteFile(file, main)
  }

  /** Removes the file if the error says that it cannot be used, unless another file is at its path. Returns whether it says so. */
  removeIfDamaged(file: SiteFile, error: unknown): boolean {
    if (!this.#isDamage(file, error)) return false
    const known = this.#open.get(file.path)
    this.close(file)
    removeSiteFile(file, known && mainOf(known.identity))
    this.#options.onDamaged?.(file.path, error)
    return true
  }

  close({ path }: Pick<SiteFile, 'path'>): void {
    const known = this.#open.get(path)
    if (known === undefined) return
    this.#open.delete(path)
    known.handle.close()
  }

  closeAll(): void {
    for (const path of this.#open.keys()) this.close({ path })
  }

  #openAt(file: SiteFile): OpenFile | undefined {
    const main = identityOf(file.path)
    if (main === undefined) return undefined
    this.#closeLongestUnused()
    let handle: SqliteHandle | undefined
    try {
      handle = onDisk(() => openSqlite(file.path, { ...this.#options, synchronous: 'NORMAL', mustExist: true }))
      const sql = prepareOn(handle)
      const isUsable = this.#options.isUsable(sql)
      const identity = identityAt(file.path)
      if (isUsable && mainOf(identity) === main) {
        const opened = { handle, sql, identity }
        this.#open.set(file.path, opened)
        return opened
      }
      handle.close()
      if (!isUsable) removeSiteFile(file, main)
      return undefined
    } catch (error) {
      handle?.close()
      if (identityOf(file.path) === undefined) return undefined
      throw error
    }
  }

  /**
   * Looks at one open file, each in its turn. Closes it if another thread or process removed it, because an open file keeps its space on
   * the disk.
   */
  #closeIfGone(): void {
    if (this.#turns.length === 0) this.#turns = [...this.#open.keys()]
    const path = this.#turns.pop() ?? ''
    const known = this.#open.get(path)
    if (known === undefined || known.handle.inTransaction) return
    if (identityOf(path) !== mainOf(known.identity)) this.close({ path })
  }

  #closeLongestUnused(): void {
    if (this.#open.size < MAX_OPEN_FILES) return
    for (const [path, { handle }] of this.#open) {
      if (!handle.inTransaction) return this.close({ path })
    }
  }

  /** Decides by codes and facts, never by an error's message: that may contain a client's words. */
  #isDamage({ path }: SiteFile, error: unknown): boolean {
    const code = sqliteCode(error) ?? ''
    if (DAMAGE_CODES.test(code)) return true
    if (code.startsWith('SQLITE_CANTOPEN')) return !isUsableFile(path)
    const known = this.#open.get(path)
    // A missing table has only the general code.
    return code === 'SQLITE_ERROR' && known !== undefined && !this.#hasTables(known.sql)
  }

  #hasTables(sql: Sql): boolean {
    try {
      return this.#options.isUsable(sql)
    } catch (error) {
      return !DAMAGE_CODES.test(sqliteCode(error) ?? '')
    }
  }
}

function identityAt(path: string): string {
  return `${identityOf(path)} ${identityOf(`${path}-wal`)} ${identityOf(`${path}-shm`)}`
}

function mainOf(identity: string): string {
  return identity.split(' ', 1)[0] ?? ''
}

function isUsableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
