// The index of one site, derived from git alone: its index position, and the changes that move it. Each site has a file of its
// own and no other lock. Every call is synchronous, except long work: a generator with one transaction around all its steps.

import type { CommitFacts } from '../model/commits/facts.js'
import type { SqliteHandle } from '../catalog/sqlite/sqlite.js'
import { sqliteCode } from '../catalog/sqlite/sqlite-errors.js'
import { applyCommits, type Portions } from './apply.js'
import { ChangeQueries } from './change-queries.js'
import { CommitQueries } from './commit-queries.js'
import { FileQueries } from './files/file-queries.js'
import { MakerQueries } from './maker-queries.js'
import { PageQueries } from './pages/page-queries.js'
import type { BlobReader } from './pages/page-head.js'
import { VersionQueries } from './pages/version-queries.js'
import { CollectionQueries } from './records/collection-queries.js'
import { RecordQueries } from './records/record-queries.js'
import { IndexLost, IndexMoved, type IndexPosition, readPosition } from './tables/index-position.js'
import { type OpenFile, OpenFiles } from './tables/open-files.js'
import { createSchema, hasSchema } from './tables/schema.js'
import {
  copySiteFile,
  makeSiteFile,
  removeRequestFiles,
  removeSiteFile,
  type SiteFile,
  siteFileOf,
} from './tables/site-file.js'
import type { RowReader, Sql } from './tables/sql.js'

/** Small, as most sites begin with few rows. */
const PAGE_BYTES = 2_048
/** Milliseconds that a statement waits for a thread that writes to the same site. */
const MAX_LOCK_WAIT_MS = 1_000

export interface IndexOptions {
  /** `reads`: writes nothing. `follows`: writes if there is a file. `makes`: also creates the file. Default `reads`. */
  access?: 'reads' | 'follows' | 'makes'
  /** Kibibytes of each open file kept in memory. */
  cacheKibibytes?: number
  /** Milliseconds that a write waits for another one. */
  busyTimeout?: number
  /** Called after a damaged file was removed, with the reason. */
  onDamaged?: (file: string, reason: unknown) => void
}

/** The indexes of all sites, with the files that one thread has open. */
export class SiteIndexes {
  readonly #dataDir: string
  readonly #access: 'reads' | 'follows' | 'makes'
  readonly #files: OpenFiles

  constructor(dataDir: string, options: IndexOptions = {}) {
    const { access = 'reads', cacheKibibytes, busyTimeout = MAX_LOCK_WAIT_MS, onDamaged } = options
    this.#dataDir = dataDir
    this.#access = access
    this.#files = new OpenFiles({
      isUsable: hasSchema,
      queryOnly: access === 'reads',
      cacheKibibytes,
      busyTimeout,
      onDamaged,
    })
  }

  /** With `request`, the rows of a change request of the site. */
  of(siteId: string, request?: string): SiteIndex {
    const file = siteFileOf(this.#dataDir, siteId, 'rows', request)
    return new SiteIndex(siteId, file, this.#files, this.#access === 'makes')
  }

  /** Removes the rows of the site and of its change requests. */
  forget(siteId: string): void {
    this.of(siteId).forget()
    removeRequestFiles(this.#dataDir, siteId)
  }

  close(): void {
    this.#files.closeAll()
  }
}

export class SiteIndex {
  readonly siteId: string
  readonly commits: CommitQueries
  readonly makers: MakerQueries
  readonly changes: ChangeQueries
  readonly pages: PageQueries
  readonly files: FileQueries
  readonly versions: VersionQueries
  readonly collections: CollectionQueries
  readonly records: RecordQueries
  readonly #file: SiteFile
  readonly #open: OpenFiles
  readonly #makesFile: boolean

  constructor(siteId: string, file: SiteFile, open: OpenFiles, makesFile: boolean) {
    this.siteId = siteId
    this.#file = file
    this.#open = open
    this.#makesFile = makesFile
    // A site without a file has no rows.
    const rows: RowReader = {
      all: (text, values) => this.#ask((sql) => sql.all(text, values), []),
      first: (text, values) => this.#ask((sql) => sql.first(text, values), undefined),
    }
    this.commits = new CommitQueries(rows)
    this.makers = new MakerQueries(rows)
    this.changes = new ChangeQueries(rows)
    this.pages = new PageQueries(rows, siteId)
    this.files = new FileQueries(rows)
    this.versions = new VersionQueries(rows)
    this.collections = new CollectionQueries(rows, siteId)
    this.records = new RecordQueries(rows, siteId)
  }

  /** Commit that all rows describe; undefined before the first one, and after the file was lost. */
  get indexedCommit(): string | undefined {
    return this.position?.commit
  }

  /** Undefined before the site is first indexed, and after the file was lost. */
  get position(): IndexPosition | undefined {
    this.#guard(() => this.#open.refresh(this.#file))
    return this.#ask(readPosition, undefined)
  }

  /**
   * Applies the commits after `indexedCommit`, oldest first, in one transaction. Throws `IndexMoved` if they do not continue there or
   * another thread or process is writing, and errors of `facts` and `read`. Calls `taken` after each commit; it may ask about the site
   * as that commit left it.
   */
  apply(facts: Iterable<CommitFacts>, read: BlobReader, taken?: (commit: string) => void): void {
    this.#guard(() => {
      const { handle, sql } = this.#fileToWrite()
      handle.transact(() => {
        for (const _ of applyCommits(sql, this.siteId, eachWhole(facts), read, taken));
      })
    })
  }

  /** Applies one commit with many changes in steps of about a millisecond, in one transaction. Throws as `apply` does. */
  *take(portions: Portions, read: BlobReader): Generator<undefined, void> {
    const { handle, sql } = this.#guard(() => {
      const file = this.#fileToWrite()
      file.handle.exec('BEGIN IMMEDIATE')
      return file
    })
    try {
      const steps = applyCommits(sql, this.siteId, [portions], read)
      while (this.#guard(() => steps.next().done) !== true) yield
      this.#guard(() => handle.exec('COMMIT'))
    } finally {
      // False if the file was found damaged: then it is closed.
      if (handle.inTransaction) handle.exec('ROLLBACK')
    }
  }

  /** Takes the rows of another index, as of one moment, in place of its own. Does nothing if that index has no file. */
  copyFrom(other: SiteIndex): void {
    this.close()
    other.#ask((_, handle) => copySiteFile(handle, this.#file), undefined)
  }

  /** Removes all rows: readers see none from their next question on. */
  forget(): void {
    this.close()
    removeSiteFile(this.#file)
  }

  /** Closes the file in this thread; the next question opens it again. */
  close(): void {
    this.#open.close(this.#file)
  }

  /** Runs questions whose answers are all of one moment, while other threads and processes may write. */
  atOneMoment<T>(ask: () => T): T {
    this.#guard(() => this.#open.refresh(this.#file))
    const file = this.#guard(() => this.#open.at(this.#file))
    // Not guarded: an error of `ask` may come from another file.
    return file === undefined ? ask() : file.sql.atOneMoment(ask)
  }

  #fileToWrite(): OpenFile {
    const found = this.#open.at(this.#file)
    if (found !== undefined) return found
    if (this.#makesFile) makeSiteFile(this.#file, PAGE_BYTES, createSchema)
    const made = this.#open.at(this.#file)
    if (made === undefined) throw new IndexMoved('The site is not indexed yet.')
    return made
  }

  #ask<T>(question: (sql: Sql, handle: SqliteHandle) => T, none: T): T {
    return this.#guard(() => {
      const file = this.#open.at(this.#file)
      return file === undefined ? none : question(file.sql, file.handle)
    })
  }

  #guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (sqliteCode(error)?.startsWith('SQLITE_BUSY') === true) {
        throw new IndexMoved('Another thread or process is writing to the index.', { cause: error })
      }
      if (!this.#open.removeIfDamaged(this.#file, error)) throw error
      throw new IndexLost('The index was damaged and is removed: it is built anew from git.', { cause: error })
    }
  }
}

function* eachWhole(facts: Iterable<CommitFacts>): Generator<CommitFacts[]> {
  for (const fact of facts) yield [fact]
}
