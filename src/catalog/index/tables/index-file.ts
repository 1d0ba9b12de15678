// The file `index.db`. A damaged one is set aside and a new one made; one that an operator deleted or replaced is
// followed. What was in it is rebuilt from git by the next reads.

import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../../model/clock.js'
import { identityOf } from '../../sqlite/file-identity.js'
import { lockFile } from '../../sqlite/file-lock.js'
import { openSqlite, sqliteCode, type SqliteHandle, type SqliteOptions } from '../../sqlite/sqlite.js'
import { SetAside } from './set-aside.js'
import { createSchema, readSchemaState } from './schema.js'
import { prepareOn, type Sql } from './sql.js'

/** Others hold the file's lock for milliseconds, as a rule. */
const MAX_LOCK_WAIT_MS = 1_000
/** Result codes (sqlite.org/rescode.html) that say that the file itself cannot be used, as opposed to a lock or a full disk. */
const DAMAGE_CODES = /^SQLITE_(CORRUPT|NOTADB|READONLY|IOERR_READ|IOERR_SHORT_READ)/

export interface IndexFileOptions extends Partial<Omit<SqliteOptions, 'synchronous'>> {
  /** Told when a damaged file was renamed, and why. */
  onSetAside?: ((to: string, cause: unknown) => void) | undefined
}

interface Opened {
  handle: SqliteHandle
  sql: Sql
  /** Of the file that the handle has open, whatever is at the path now. */
  identity: string
  /** The same of its log and the log's index. */
  companions: string
}

export class IndexFile {
  readonly #path: string
  readonly #aside: SetAside
  readonly #options: SqliteOptions
  #opened: Opened | undefined

  constructor(dataDir: string, clock: Clock, { onSetAside, ...options }: IndexFileOptions = {}) {
    this.#path = join(dataDir, 'index.db')
    this.#aside = new SetAside(this.#path, clock, onSetAside)
    this.#options = { synchronous: 'NORMAL', busyTimeout: MAX_LOCK_WAIT_MS, ...options }
  }

  /** Opens the file first where it is not open. Throws the driver's errors, and `storage_failed` where it is damaged and was set aside just before. */
  get sql(): Sql {
    this.#opened ??= this.#open()
    return this.#opened.sql
  }

  /**
   * Closes a file that is no longer the one at the path. A file whose companions were removed is removed too: who has it open would go on with
   * the old companions, and who opens it now would make new ones and see nothing that is written with the old. Costs three `stat`. Throws
   * the driver's error where another holds the file's lock for long.
   */
  follow(): void {
    if (this.#opened === undefined) return
    const { identity, companions } = this.#opened
    const isInPlace = identityOf(this.#path) === identity
    if (isInPlace && companionsOf(this.#path) === companions) return
    this.close()
    if (isInPlace) this.#whileStill(identity, () => this.#aside.remove())
  }

  /** Whether the error says that the file is damaged: then it is set aside, and the next question opens a new one. */
  replaceIfDamaged(error: unknown): boolean {
    if (!this.#isDamage(error)) return false
    const identity = this.#opened?.identity
    this.close()
    this.#setAside(identity, error)
    return true
  }

  close(): void {
    const { handle } = this.#opened ?? {}
    this.#opened = undefined
    // A transaction that still runs ends on its own connection, which is closed when nothing refers to it.
    if (handle?.inTransaction === false) handle.close()
  }

  #open(): Opened {
    if (!existsSync(this.#path)) this.#create()
    const identity = identityOf(this.#path)
    try {
      return this.#openAt(identity ?? '') ?? this.#open()
    } catch (error) {
      if (!this.#isDamage(error)) throw error
      this.#setAside(identity, error)
      return this.#open()
    }
  }

  /** Undefined after a file of another schema was removed. */
  #openAt(identity: string): Opened | undefined {
    const handle = openSqlite(this.#path, { ...this.#options, mustExist: true })
    try {
      const state = readSchemaState(handle)
      if (state === 'empty') createSchema(handle)
      if (state === 'empty' || state === 'current') {
        return { handle, sql: prepareOn(handle), identity, companions: companionsOf(this.#path) }
      }
      handle.close()
      if (state === 'foreign')
        this.#setAside(identity, new Error('The file has tables of another program or a newer version.'))
      else this.#whileStill(identity, () => this.#aside.remove())
      return undefined
    } catch (error) {
      handle.close()
      throw error
    }
  }

  /** A log without its file belongs to a deleted one: it would be replayed into the new file. */
  #create(): void {
    this.#whileStill(undefined, () => {
      this.#aside.removeCompanions()
      const handle = openSqlite(this.#path, this.#options)
      createSchema(handle)
      handle.close()
    })
  }

  #setAside(identity: string | undefined, cause: unknown): void {
    if (identity === undefined) return
    this.#whileStill(identity, () => this.#aside.rename(cause))
  }

  /** Runs `work` unless another thread or process has put another file in place first. */
  #whileStill(identity: string | undefined, work: () => void): void {
    const unlock = lockFile(this.#path.replace(/\.db$/, '.lock.db'), MAX_LOCK_WAIT_MS)
    try {
      if (identityOf(this.#path) === identity) work()
    } finally {
      unlock()
    }
  }

  /** Decides by codes and by facts, never by an error's message: it may hold a client's words. */
  #isDamage(error: unknown): boolean {
    const code = sqliteCode(error) ?? ''
    if (DAMAGE_CODES.test(code)) return true
    if (code.startsWith('SQLITE_CANTOPEN')) return !isUsableFile(this.#path)
    // The code of a missing table is a general one.
    return code === 'SQLITE_ERROR' && this.#opened !== undefined && !hasSchema(this.#opened.handle)
  }
}

function hasSchema(handle: SqliteHandle): boolean {
  try {
    return readSchemaState(handle) === 'current'
  } catch (error) {
    return !DAMAGE_CODES.test(sqliteCode(error) ?? '')
  }
}

/** Names the log and the log's index, which SQLite leaves in place as long as any process has the file open (sqlite.org/walformat.html). */
function companionsOf(path: string): string {
  return `${identityOf(`${path}-wal`)} ${identityOf(`${path}-shm`)}`
}

function isUsableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
