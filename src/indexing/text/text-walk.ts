// Brings the text of one site to the commit that its index describes, in steps short enough that other sites take turns.

import type { SiteIndex } from '../../index/site-index.js'
import { IndexLost, IndexMoved, type IndexPosition } from '../../index/tables/index-position.js'
import type { Sql } from '../../index/tables/sql.js'
import {
  type ReadPage,
  removePageText,
  removeRecordText,
  storePageText,
  storeRecordText,
} from '../../index/text/store-text.js'
import type { TextFiles } from '../../index/text/text-file.js'
import { readProgress, storeProgress, type TextProgress } from '../../index/text/text-progress.js'
import { ObjectCorrupt, ObjectMissing } from '../../git/objects/errors.js'
import type { Repository } from '../../repository/protocol/repository.js'
import { readPage } from './read-page.js'

/** Time for which one transaction takes rows; a single large page may take longer. */
const MAX_STEP_MS = 20
/** Number of rows read at once; those of records are read with their data. */
const PAGES_AT_ONCE = 100
const RECORDS_AT_ONCE = 8
/** The text of larger files is not searched. */
const MAX_READ_BYTES = 16 * 1024 * 1024
/** Number of times that a damaged file is made again before its error is reported. */
const MAX_REMOVALS = 2

const NOTHING: ReadPage = { text: '', headings: '', links: [], leftOut: null }

export interface TextWalkParts {
  /** Limit for all pages and records of the site: the text of later ones is left out. */
  maxCharacters: number
  index: SiteIndex
  texts: TextFiles
  repository: { readonly objects: Pick<Repository['objects'], 'readHeader' | 'readBlob'> }
}

export class TextWalk {
  readonly #parts: TextWalkParts
  #removals = 0
  /** Position of the commit that the text was found to describe; 0 for none. */
  #answer = 0

  constructor(parts: TextWalkParts) {
    this.#parts = parts
  }

  /**
   * Takes one step. True when the text describes the commit of the index. Also true when the index describes none: the text follows
   * once it does.
   */
  advance(): boolean {
    try {
      return this.#take()
    } catch (error) {
      if (error instanceof IndexLost || error instanceof IndexMoved) return true
      const { texts, index } = this.#parts
      if (this.#removals === MAX_REMOVALS || !texts.removeIfDamaged(index.siteId, error)) throw error
      this.#removals += 1
      return false
    }
  }

  get answer(): number {
    return this.#answer
  }

  close(): void {
    // The files stay open for the next walk.
  }

  #take(): boolean {
    const { index } = this.#parts
    return index.atOneMoment(() => {
      const { position } = index
      return position === undefined || this.#takeUpTo(position)
    })
  }

  #takeUpTo(indexed: IndexPosition): boolean {
    const { texts, index } = this.#parts
    const sql = texts.open(index.siteId)
    const progress = readProgress(sql)
    if (!this.#isOfThisHistory(progress)) {
      texts.remove(index.siteId)
      return false
    }
    const isDone = progress.commit_oid === indexed.commit || sql.transact(() => this.#takeRows(sql, progress, indexed))
    if (isDone) this.#answer = indexed.ordinal
    return isDone
  }

  /** Takes rows until the time is over. True when the text holds all rows of the commit. */
  #takeRows(sql: Sql, progress: TextProgress, indexed: IndexPosition): boolean {
    progress.target = indexed.commit
    progress.target_position = indexed.ordinal
    const end = performance.now() + MAX_STEP_MS
    const isDone = this.#takePages(sql, progress, end) && this.#takeRecords(sql, progress, end)
    if (isDone) Object.assign(progress, { commit_oid: indexed.commit, position: indexed.ordinal })
    storeProgress(sql, progress)
    return isDone
  }

  /** Takes pages until the time is over. True when none is left. */
  #takePages(sql: Sql, progress: TextProgress, end: number): boolean {
    const { index } = this.#parts
    const { target_position: upTo, page_changed: changed, page_id } = progress
    const rows = index.changes.pages({ changed, page_id }, upTo, PAGES_AT_ONCE)
    for (const row of rows) {
      const { page_id: pageId, path, title, status, blob } = row
      if (status === 'published' && blob !== null) {
        const room = this.#parts.maxCharacters - progress.characters
        progress.characters += storePageText(sql, { pageId, path, title, blob }, this.#read(blob, path), room)
      } else progress.characters += removePageText(sql, pageId)
      progress.page_changed = row.changed
      progress.page_id = pageId
      if (performance.now() >= end) return false
    }
    return rows.length < PAGES_AT_ONCE
  }

  /** Takes records until the time is over. True when none is left. */
  #takeRecords(sql: Sql, progress: TextProgress, end: number): boolean {
    const { index } = this.#parts
    const { target_position: upTo, record_changed: changed, collection_id, record_id } = progress
    const rows = index.changes.records({ changed, collection_id, record_id }, upTo, RECORDS_AT_ONCE)
    for (const row of rows) {
      const key = { collectionId: row.collection_id, recordId: row.record_id }
      const room = this.#parts.maxCharacters - progress.characters
      progress.characters +=
        row.data === null
          ? removeRecordText(sql, key)
          : storeRecordText(sql, key, JSON.parse(row.data) as Record<string, unknown>, room)
      progress.record_changed = row.changed
      progress.collection_id = row.collection_id
      progress.record_id = row.record_id
      if (performance.now() >= end) return false
    }
    return rows.length < RECORDS_AT_ONCE
  }

  /** Reads a page. If its file is damaged or too large, only its title is searched. */
  #read(blob: string, path: string): ReadPage {
    const { objects } = this.#parts.repository
    try {
      if (objects.readHeader(blob).size > MAX_READ_BYTES) return { ...NOTHING, leftOut: 'too_large' }
      return readPage(objects.readBlob(blob), path)
    } catch (error) {
      if (error instanceof ObjectCorrupt || error instanceof ObjectMissing) return NOTHING
      throw error
    }
  }

  /** Whether the rows taken so far belong to this history: false once the index lost the commit that they are from. */
  #isOfThisHistory({ target, target_position, commit_oid, position }: TextProgress): boolean {
    const isKnown = (oid: string | null, at: number) => oid === null || this.#parts.index.commits.positionOf(oid) === at
    return isKnown(target, target_position) && isKnown(commit_oid, position)
  }
}
