// The index of what sites hold, derived from git alone: each site's index position, and the changes that move it.
// Every call is synchronous. Long work is a generator with a transaction for each step, so that other writers come
// between; it may be abandoned after any step, and the rows are complete again once it is repeated to its end.

import type { Clock } from '../../model/clock.js'
import type { CommitFacts } from '../../model/commits/facts.js'
import { sqliteCode } from '../sqlite/sqlite.js'
import { applyFacts } from './apply.js'
import { clearInPortions, forgetInPortions } from './forget-site.js'
import type { WriteGate } from '../sqlite/write-gate.js'
import { IndexFile, type IndexFileOptions } from './tables/index-file.js'
import type { BlobReader } from './pages/page-title.js'
import { takeInPortions } from './portions.js'
import { ChangeQueries } from './change-queries.js'
import { CommitQueries } from './commit-queries.js'
import { FileQueries } from './files/file-queries.js'
import { PageQueries } from './pages/page-queries.js'
import { VersionQueries } from './pages/version-queries.js'
import { CollectionQueries } from './records/collection-queries.js'
import { RecordQueries } from './records/record-queries.js'
import type { RowReader, Sql, Transact } from './tables/sql.js'
import { IndexMoved, type IndexPosition, readPosition } from './tables/index-position.js'

/** The file was damaged and an empty one has taken its place: catch up and ask again. */
export class IndexLost extends Error {
  override name = 'IndexLost'
}

/** A pause between two steps of long work, for writers of other processes. */
const GAP_MS = 2
const GAP = new Int32Array(new SharedArrayBuffer(4))
/** Past this many pages (64 MiB) a thread with long work waits for those whose view of the index is older than the log's end. */
const MAX_LOG_PAGES = 16_000
const MAX_CHECKPOINT_WAIT_MS = 1_000
const CHECKPOINT_PAUSE_MS = 20
const CHECKPOINT = 'PRAGMA wal_checkpoint(PASSIVE)'

export interface IndexOptions extends IndexFileOptions {
  /** The gate at which this thread writes before those with long work. */
  writesFirstAt?: WriteGate
  /** The gate at which this thread gives way to other writers. */
  givesWayAt?: WriteGate
}

/**
 * The index in `index.db` of `dataDir`, which the first question opens. A damaged file is set aside as
 * `index.db.broken-<time>`, one of an older schema removed.
 */
export function openIndex(dataDir: string, clock: Clock = () => new Date(), options: IndexOptions = {}): SiteIndex {
  const { writesFirstAt: _writesFirstAt, givesWayAt: _givesWayAt, ...file } = options
  return new SiteIndex(new IndexFile(dataDir, clock, file), options)
}

export class SiteIndex {
  readonly #rows: RowReader = {
    all: (text, values) => this.#ask((sql) => sql.all(text, values)),
    first: (text, values) => this.#ask((sql) => sql.first(text, values)),
  }
  readonly commits = new CommitQueries(this.#rows)
  readonly changes = new ChangeQueries(this.#rows)
  readonly pages = new PageQueries(this.#rows)
  readonly files = new FileQueries(this.#rows)
  readonly versions = new VersionQueries(this.#rows)
  readonly collections = new CollectionQueries(this.#rows)
  readonly records = new RecordQueries(this.#rows)
  readonly #file: IndexFile
  readonly #writesFirstAt: WriteGate | undefined
  readonly #givesWayAt: WriteGate | undefined
  #isTogether = false

  constructor(file: IndexFile, options: IndexOptions) {
    this.#file = file
    this.#writesFirstAt = options.writesFirstAt
    this.#givesWayAt = options.givesWayAt
  }

  /** The commit that all of the site's rows describe; undefined before the first one, while a large one is being indexed, and after the file was lost. */
  indexedCommit(siteId: string): string | undefined {
    const position = this.position(siteId)
    return position?.next === undefined ? (position?.commit ?? undefined) : undefined
  }

  /** Undefined before the site is first indexed, and after the file was lost. */
  position(siteId: string): IndexPosition | undefined {
    this.#ask(() => this.#file.follow())
    return this.#ask((sql) => readPosition(sql, siteId))
  }

  /**
   * Takes the commits after `indexedCommit`, oldest first, in one transaction: all or nothing.
   * Throws `IndexMoved` when they do not continue there, or when another process is writing, and whatever `facts` and
   * `read` throw. `taken` is called after each commit, and may ask the index about the site as that commit left it.
   */
  apply(siteId: string, facts: Iterable<CommitFacts>, read: BlobReader, taken?: (facts: CommitFacts) => void): void {
    this.#change((sql) => applyFacts(sql, siteId, facts, read, taken))
  }

  /**
   * Takes one commit of many changes in portions; each holds the commit's own facts and a part of its changes. From the
   * first step to the last the site has no `indexedCommit`. Throws as `apply` does.
   */
  takeInPortions(siteId: string, portions: Iterable<CommitFacts>, read: BlobReader): Generator<undefined, void> {
    return takeInPortions(this.#change, siteId, portions, read, this.#isWanted)
  }

  /** Whether another thread of the process is in a transaction: a write would block this one until its end. */
  get isHeld(): boolean {
    return this.#writesFirstAt?.isHeld === true
  }

  /** Says that this thread will write as soon as `isHeld` is false; call what is returned once it has. */
  announceWrite(): () => void {
    return this.#writesFirstAt?.announce() ?? (() => undefined)
  }

  /** Runs `work`, whose every `apply` then joins one transaction: all or nothing. Throws as `apply` does. */
  together(work: () => void): void {
    this.#change(() => {
      this.#isTogether = true
      try {
        work()
      } finally {
        this.#isTogether = false
      }
    })
  }

  /** Removes all rows of a site; none of them counts after the first step. */
  forget(siteId: string): Generator<undefined, void> {
    return forgetInPortions(this.#change, siteId)
  }

  /** Removes leftover rows of a site that has no index position, before anything is built on them. */
  clear(siteId: string): Generator<undefined, void> {
    return clearInPortions(this.#change, siteId)
  }

  /** Runs questions whose answers are of one moment, whatever other threads and processes write in between. */
  atOneMoment<T>(ask: () => T): T {
    return this.#ask((sql) => sql.atOneMoment(ask))
  }

  /** Call it between the steps of long work: waiting writers write now. */
  giveWay(): void {
    this.#givesWayAt?.giveWay()
    Atomics.wait(GAP, 0, 0, GAP_MS)
  }

  /**
   * Copies SQLite's log into the file, which takes as long as the disk does. No writer waits for it. A log that has grown very long because
   * of what others read has a second in which this thread adds nothing to it.
   */
  checkpoint(): void {
    const end = performance.now() + MAX_CHECKPOINT_WAIT_MS
    for (;;) {
      const state = this.#ask((sql) => sql.first<{ log: number; checkpointed: number }>(CHECKPOINT, []))
      if (state === undefined || state.log === state.checkpointed || state.log <= MAX_LOG_PAGES) return
      if (performance.now() > end) return
      Atomics.wait(GAP, 0, 0, CHECKPOINT_PAUSE_MS)
    }
  }

  /** Another process found the file damaged, with this code of SQLite: it is set aside. */
  report(code: string): void {
    this.#file.replaceIfDamaged(Object.assign(new Error('A task found the index damaged.'), { code }))
  }

  close(): void {
    this.#file.close()
  }

  readonly #isWanted = (): boolean => this.#givesWayAt?.isWanted === true

  readonly #change: Transact = (work) => {
    const change = () => this.#ask((sql) => sql.transact(() => work(sql)))
    if (this.#writesFirstAt !== undefined) return this.#writesFirstAt.writeFirst(change)
    return this.#givesWayAt === undefined ? change() : this.#givesWayAt.hold(change)
  }

  #ask<T>(work: (sql: Sql) => T): T {
    try {
      return work(this.#file.sql)
    } catch (error) {
      // The transaction around this one decides: a file in use is not replaced.
      if (this.#isTogether) throw error
      if (sqliteCode(error)?.startsWith('SQLITE_BUSY') === true) {
        throw new IndexMoved('Another process is writing to the index.', { cause: error })
      }
      if (!this.#file.replaceIfDamaged(error)) throw error
      throw new IndexLost('The index was broken and has been emptied: it is rebuilt from git.', { cause: error })
    }
  }
}
