// The index of what sites hold, derived from git and from nothing else: where each site stands on its history, and how
// it gets on. Every call is synchronous; what may be long is a generator, a transaction for each step, so that others come
// between: it may be left at any step, and is whole again once it is begun anew and ended.

import type { Clock } from '../../model/clock.js'
import type { CommitFacts, PageLeap } from '../../model/facts.js'
import { sqliteCode, type SqliteOptions } from '../sqlite/sqlite.js'
import { applyFacts } from './apply.js'
import { clearInPortions, forgetInPortions } from './forget-site.js'
import type { Turnstile } from '../sqlite/turnstile.js'
import { IndexFile, isBroken } from './tables/index-file.js'
import type { BlobReader } from './pages/page-title.js'
import { takeInPortions } from './portions.js'
import type { PageRow } from './tables/rows.js'
import { SiteQuestions } from './site-questions.js'
import type { Sql, Transact } from './tables/sql.js'
import { IndexMoved, readStanding, type Standing } from './tables/standing.js'
import { leapInPortions } from './tip.js'
import { tipKeyOf } from './tables/tip-key.js'

/** The file turned out broken and an empty one stands in its place: catch up and ask again. */
export class IndexLost extends Error {
  override name = 'IndexLost'
}

/** Between two steps of long work, for writers of other processes: milliseconds. */
const GAP_MS = 2
const GAP = new Int32Array(new SharedArrayBuffer(4))
/** Pages that the log may hold before writers are made to wait until it is copied: 64 MiB. */
const LONGEST_LOG = 16_000
const MOST_CHECKPOINTS = 3
const CHECKPOINT = 'PRAGMA wal_checkpoint(PASSIVE)'

export interface IndexOptions extends Partial<Omit<SqliteOptions, 'synchronous'>> {
  /** Where this thread goes first: others with long work let it through. */
  first?: Turnstile
  /** Where this thread lets others through. */
  last?: Turnstile
}

/** Opens `index.db` in `dataDir`. A broken file is set aside as `index.db.broken-<time>`, one of an older schema thrown away. */
export function openIndex(dataDir: string, clock: Clock = () => new Date(), options: IndexOptions = {}): SiteIndex {
  const { first: _first, last: _last, ...sqlite } = options
  return new SiteIndex(new IndexFile(dataDir, clock, sqlite), options)
}

export class SiteIndex extends SiteQuestions {
  readonly #file: IndexFile
  readonly #first: Turnstile | undefined
  readonly #last: Turnstile | undefined
  #isTogether = false

  constructor(file: IndexFile, options: IndexOptions) {
    super()
    this.#file = file
    this.#first = options.first
    this.#last = options.last
  }

  /** The commit that all of the site's rows are of; undefined before the first, while one is taken in portions, and after the file was lost or deleted. */
  indexedCommit(siteId: string): string | undefined {
    const standing = this.standing(siteId)
    return standing?.next === undefined ? (standing?.commit ?? undefined) : undefined
  }

  /** Undefined before the site is first indexed, and after the file was lost or deleted. */
  standing(siteId: string): Standing | undefined {
    this.#file.follow()
    return this.ask((sql) => readStanding(sql, siteId))
  }

  /**
   * Takes the commits after `indexedCommit`, oldest first, in one transaction: all or nothing.
   * Throws `IndexMoved` when they do not continue there, or when another process is at it, and whatever `facts` and
   * `read` throw.
   */
  apply(siteId: string, facts: Iterable<CommitFacts>, read: BlobReader): void {
    this.#change((sql) => applyFacts(sql, siteId, facts, read))
  }

  /**
   * Takes one commit of many changes, given in portions that each say what there is to say of it beside them. From the first
   * step to the last the site has no `indexedCommit`. Throws as `apply` does.
   */
  takeInPortions(siteId: string, portions: Iterable<CommitFacts>, read: BlobReader): Generator<undefined, void> {
    return takeInPortions(this.#change, siteId, portions, read, this.#isWanted)
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

  /** Removes all that is known of a site; after the first step nothing of it counts any more. */
  forget(siteId: string): Generator<undefined, void> {
    return forgetInPortions(this.#change, siteId)
  }

  /** Removes what is left over of a site that has no standing: before anything is built on it. */
  clear(siteId: string): Generator<undefined, void> {
    return clearInPortions(this.#change, siteId)
  }

  /** Runs questions that must be answered as of one moment, whatever other threads and processes write meanwhile. */
  atOneMoment<T>(ask: () => T): T {
    return this.ask((sql) => sql.atOneMoment(ask))
  }

  /** The commit that the pages of `tip` are of; undefined without any. */
  tipCommit(siteId: string): string | undefined {
    return this.indexedCommit(tipKeyOf(siteId))
  }

  /**
   * Makes the site's pages known as of a commit ahead of `indexedCommit`; the portions are of one leap, which begins at
   * `tipCommit`, else there. Until the last step the site has no `tipCommit`. Throws as `apply` does.
   */
  leap(siteId: string, portions: Iterable<PageLeap>, read: BlobReader): Generator<undefined, void> {
    return leapInPortions(this.#change, siteId, portions, read, this.#isWanted)
  }

  /** Whether there is anything of a `leap`, arrived or not. */
  hasTip(siteId: string): boolean {
    return this.standing(tipKeyOf(siteId)) !== undefined
  }

  /** The rows of `leap` have served; after the first step they answer no more. */
  dropTip(siteId: string): Generator<undefined, void> {
    return forgetInPortions(this.#change, tipKeyOf(siteId))
  }

  /**
   * The pages as of `tipCommit`. A page that changed since `indexedCommit` has that commit as its version and entity tag,
   * no version number (0), and its time as the page's last change.
   */
  tip(siteId: string): Pick<SiteIndex, 'page' | 'pageByPath' | 'pages' | 'sidecarAt'> {
    const key = tipKeyOf(siteId)
    const owned = (row: PageRow) => ({ ...row, siteId })
    const ownedIf = (row: PageRow | undefined) => row && owned(row)
    return {
      page: (_siteId, pageId) => ownedIf(this.page(key, pageId)),
      pageByPath: (_siteId, path) => ownedIf(this.pageByPath(key, path)),
      pages: (_siteId, query) => {
        const { rows, nextCursor } = this.pages(key, query)
        return { rows: rows.map(owned), nextCursor }
      },
      sidecarAt: (_siteId, path) => this.sidecarAt(key, path),
    }
  }

  /** To be called between the steps of long work: whoever waits to write does so now. */
  giveWay(): void {
    this.#last?.letThrough()
    Atomics.wait(GAP, 0, 0, GAP_MS)
  }

  /**
   * Copies what was written into the file itself, which takes as long as the disk does; nobody waits for it unless the log
   * has grown very long.
   */
  checkpoint(): void {
    for (let tries = 1; tries <= MOST_CHECKPOINTS; tries += 1) {
      const state = this.ask((sql) => sql.first<{ log: number; checkpointed: number }>(CHECKPOINT, []))
      if (state === undefined || state.log === state.checkpointed) return
      if (state.log > LONGEST_LOG) this.ask((sql) => sql.all('PRAGMA wal_checkpoint(RESTART)', []))
    }
  }

  close(): void {
    this.#file.close()
  }

  readonly #isWanted = (): boolean => this.#last?.isWanted === true

  readonly #change: Transact = (work) => {
    try {
      const change = () => this.ask((sql) => sql.transact(() => work(sql)))
      return this.#first === undefined ? change() : this.#first.pass(change)
    } catch (error) {
      if (sqliteCode(error) !== 'SQLITE_BUSY') throw error
      throw new IndexMoved('Another process is writing to the index.', { cause: error })
    }
  }

  protected ask<T>(work: (sql: Sql) => T): T {
    try {
      return work(this.#file.sql)
    } catch (error) {
      // Within a transaction its end says so: a file in use is not replaced.
      if (!isBroken(error) || this.#isTogether) throw error
      this.#file.replace()
      throw new IndexLost('The index was broken and has been emptied: it is rebuilt from git.', { cause: error })
    }
  }
}
