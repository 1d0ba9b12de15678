// The file `index.db`: always open and whole. A broken one is set aside and a new one made, one that an operator
// deleted or replaced is followed; what was in it is rebuilt from git by whoever reads next.

import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../../model/clock.js'
import { openSqlite, type SqliteHandle, type SqliteOptions } from '../../sqlite/sqlite.js'
import { createSchema, readSchemaState } from './schema.js'
import { prepareOn, type Sql } from './sql.js'

/** Others hold the lock for milliseconds, as a rule. */
const LOCK_PATIENCE_MS = 1_000

interface Opened {
  handle: SqliteHandle
  sql: Sql
  /** Device and inode: which file the handle has open, whatever stands at the path now. */
  identity: string
}

export class IndexFile {
  readonly #path: string
  readonly #clock: Clock
  readonly #options: SqliteOptions
  #opened: Opened
  /**
   * Handles of files that are gone from the path. Held and never closed: closing one (as forgetting it would, once its
   * statements are collected) deletes `index.db-wal` by its name, which is the new file's by then.
   */
  #abandoned: SqliteHandle[] = []

  constructor(dataDir: string, clock: Clock, options: Partial<SqliteOptions> = {}) {
    this.#path = join(dataDir, 'index.db')
    this.#clock = clock
    this.#options = { synchronous: 'NORMAL', busyTimeout: LOCK_PATIENCE_MS, ...options }
    this.#opened = this.#open()
  }

  get sql(): Sql {
    return this.#opened.sql
  }

  /** Opens what stands at the path now, when that is no longer the file that is open. Costs one `stat`. */
  follow(): void {
    if (this.#isInPlace()) return
    this.#abandoned.push(this.#opened.handle)
    this.#opened = this.#open()
  }

  /** Makes a new file in place of one that cannot be read. */
  replace(): void {
    if (!this.#isInPlace()) return this.follow()
    this.#abandoned.push(this.#opened.handle)
    this.#setAside()
    this.#opened = this.#open()
  }

  close(): void {
    this.#opened.handle.close()
  }

  #isInPlace(): boolean {
    return identityOf(this.#path) === this.#opened.identity
  }

  #open(): Opened {
    if (!existsSync(this.#path)) this.#removeCompanions()
    const handle = this.#openCurrent() ?? this.#openAnew()
    return { handle, sql: prepareOn(handle), identity: identityOf(this.#path) ?? '' }
  }

  /** The file as it is, or empty and filled; undefined after it was moved or thrown away. */
  #openCurrent(): SqliteHandle | undefined {
    let handle: SqliteHandle | undefined
    try {
      handle = openSqlite(this.#path, this.#options)
      const state = readSchemaState(handle)
      if (state === 'current') return handle
      if (state === 'empty') {
        createSchema(handle)
        return handle
      }
      if (state === 'older') this.#remove()
      else this.#setAside()
    } catch (error) {
      if (!isBroken(error)) throw error
      this.#setAside()
    }
    if (handle !== undefined) this.#abandoned.push(handle)
    return undefined
  }

  #openAnew(): SqliteHandle {
    const handle = openSqlite(this.#path, this.#options)
    createSchema(handle)
    return handle
  }

  #setAside(): void {
    const time = this.#clock().toISOString().replaceAll(/[:.]/g, '-')
    const aside = `${this.#path}.broken-${time}`
    renameSync(this.#path, aside)
    // The log belongs to the file it was written for; beside a new one it would be replayed into it.
    if (existsSync(`${this.#path}-wal`)) renameSync(`${this.#path}-wal`, `${aside}-wal`)
    this.#removeCompanions()
  }

  #remove(): void {
    rmSync(this.#path, { force: true })
    this.#removeCompanions()
  }

  #removeCompanions(): void {
    rmSync(`${this.#path}-wal`, { force: true })
    rmSync(`${this.#path}-shm`, { force: true })
  }
}

/**
 * Whether the driver says that the file itself is no good (sqlite.org/rescode.html), as opposed to a lock or a full disk.
 * Some of the driver's errors are not its error class, so they are known by their fields.
 */
export function isBroken(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return /^SQLITE_(CORRUPT|NOTADB|READONLY_DBMOVED)/.test(code) || /\bno such (?:table|index)\b/.test(error.message)
}

function identityOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true })
  return stat && `${stat.dev}:${stat.ino}`
}
