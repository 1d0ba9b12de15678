// Comments on change requests and on versions of pages. A thread is a comment with those that answer it. Nothing is cached.

import { type RawBuilder, sql } from 'kysely'
import { COMMENTS } from '../../admission/comment-rows.js'
import type { CatalogDatabase, Row } from '../database/catalog-database.js'
import type { SqliteStatement } from '../sqlite/statement.js'

type CommentRow = Row<'comments'>

/** The thing that comments are on. Several sites may have a page with one id. */
export type Subject = { request: string } | { page: string; siteId: string }

/** `place` is JSON. */
export type Comment = Omit<CommentRow, 'commitOid' | 'asksForChanges'> & { commit: string; asksForChanges: boolean }

export type NewComment = Pick<
  Comment,
  'id' | 'siteId' | 'subject' | 'commit' | 'path' | 'place' | 'text' | 'inReplyTo' | 'author' | 'madeBy' | 'userId'
> & { asksForChanges?: boolean }

export interface CommentsPage {
  /** Only those with a higher number. */
  after?: number | undefined
  /** Only those on this page or file. */
  path?: string | undefined
  /** Only threads that are not resolved. */
  isOpen?: boolean | undefined
  limit: number
}

/** The threads of a subject that nobody has resolved. */
export interface OpenThreads {
  count: number
  /** Whether one of them asks for changes. */
  areChangesAsked: boolean
}

const DAY_SECONDS = 24 * 3600
const GUEST = 'guest '

export class Comments {
  readonly #database: CatalogDatabase
  readonly #byId: SqliteStatement<CommentRow>
  readonly #open: SqliteStatement<{ count: number; asked: number | null }>

  constructor(database: CatalogDatabase) {
    this.#database = database
    this.#byId = database.prepare('SELECT * FROM comments WHERE id = ?')
    this.#open = database.prepare(
      `SELECT count(*) AS count, max(asks_for_changes) AS asked FROM comments
       WHERE subject = ? AND in_reply_to IS NULL AND resolved_at IS NULL`,
    )
  }

  /**
   * Stores a comment with the next number of its subject. Undefined, and nothing is stored, if there are as many as may be, or if the comment
   * that it answers is gone.
   */
  async create(comment: NewComment): Promise<Comment | undefined> {
    const { id, siteId, subject, commit, path, place, text, inReplyTo, author, madeBy, userId } = comment
    const asks = comment.asksForChanges === true ? 1 : 0
    const [, made] = await this.#database.write<CommentRow>(() => [
      // Puts the comments of a site in order: no two get one number, and each counts the others.
      sql<CommentRow>`UPDATE sites SET slug = slug WHERE id = ${siteId}`,
      sql<CommentRow>`
      INSERT INTO comments (id, site_id, subject, number, commit_oid, path, place, text, in_reply_to, asks_for_changes,
        author, made_by, user_id, created_at)
      SELECT ${id}, ${siteId}, ${subject}, coalesce(max(number), 0) + 1, ${commit}, ${path}, ${place}, ${text}, ${inReplyTo},
        ${sql.lit(asks)}, ${author}, ${madeBy}, ${userId}, ${this.#database.now()}
      FROM comments WHERE subject = ${subject} HAVING ${this.#mayAdd(comment)} RETURNING *`,
    ])
    const row = made?.rows[0]
    return row && readComment(row)
  }

  /** Whether one more may be added, of all rows of the subject. */
  #mayAdd({ siteId, inReplyTo, madeBy }: NewComment): RawBuilder<unknown> {
    const countOf = (which: RawBuilder<unknown>) => sql`(SELECT count(*) FROM comments WHERE ${which})`
    const bounds = [
      sql`count(*) < ${sql.lit(COMMENTS.subject.quota)}`,
      sql`${countOf(sql`site_id = ${siteId}`)} < ${sql.lit(COMMENTS.site.quota)}`,
    ]
    if (inReplyTo !== null) bounds.push(sql`count(CASE WHEN id = ${inReplyTo} THEN 1 END) = 1`)
    if (madeBy.startsWith(GUEST)) {
      const since = this.#database.now(DAY_SECONDS)
      const ofLink = countOf(sql`made_by = ${madeBy} AND created_at > ${since}`)
      bounds.push(sql`count(CASE WHEN made_by LIKE 'guest %' THEN 1 END) < ${sql.lit(COMMENTS.guests.quota)}`)
      bounds.push(sql`${ofLink} < ${sql.lit(COMMENTS.link.quota)}`)
    }
    return sql.join(bounds, sql` AND `)
  }

  /** Finds a comment of any site. Synchronous. */
  find(id: string): Comment | undefined {
    const row = this.#byId.first([id])
    return row && readComment(row)
  }

  /** Lists comments of a subject in the order of their numbers. */
  async list(subject: string, { after = 0, path, isOpen = false, limit }: CommentsPage): Promise<Comment[]> {
    const { db } = this.#database
    let query = db.selectFrom('comments').selectAll().where('subject', '=', subject).where('number', '>', after)
    // An answer is where its thread is, and open as its thread is.
    const ofThreads = (column: 'path' | 'resolvedAt', value: string | null) =>
      query.where((is) => {
        const threads = db
          .selectFrom('comments')
          .select('id')
          .where('subject', '=', subject)
          .where('inReplyTo', 'is', null)
        const found = threads.where(column, value === null ? 'is' : '=', value)
        return is.or([is('id', 'in', found), is('inReplyTo', 'in', found)])
      })
    if (path !== undefined) query = ofThreads('path', path)
    if (isOpen) query = ofThreads('resolvedAt', null)
    return (await query.orderBy('number').limit(limit).execute()).map(readComment)
  }

  /** Counts the open threads of a subject. Synchronous. */
  openThreads(subject: string): OpenThreads {
    const found = this.#open.first([subject])
    return { count: found?.count ?? 0, areChangesAsked: found?.asked === 1 }
  }

  /** Stores another text of a comment. */
  async edit(id: string, text: string): Promise<void> {
    const editedAt = this.#database.now()
    await this.#database.write((db) => [db.updateTable('comments').set({ text, editedAt }).where('id', '=', id)])
  }

  /** Resolves a thread, or opens it again if `by` is null. False if it was so already. */
  async resolve(id: string, by: string | null): Promise<boolean> {
    const resolvedAt = by === null ? null : this.#database.now()
    const [set] = await this.#database.write((db) => [
      db
        .updateTable('comments')
        .set({ resolvedAt, resolvedBy: by })
        .where('id', '=', id)
        .where('resolvedAt', by === null ? 'is not' : 'is', null),
    ])
    return set?.count === 1
  }

  /**
   * Deletes a comment with those that answer it. With `unlessAnsweredByOthers`, a maker: false, and nothing is deleted, if another one has
   * answered.
   */
  async remove(id: string, unlessAnsweredByOthers?: string): Promise<boolean> {
    const maker = unlessAnsweredByOthers
    const isAnswered =
      maker === undefined
        ? sql`false`
        : sql`EXISTS (SELECT 1 FROM comments AS other WHERE other.in_reply_to = ${id} AND other.made_by != ${maker})`
    const [deleted] = await this.#database.write(() => [
      sql`DELETE FROM comments WHERE (id = ${id} OR in_reply_to = ${id}) AND NOT ${isAnswered}`,
    ])
    return (deleted?.count ?? 0) > 0
  }

  /** Deletes all comments of a subject. */
  async removeAll(subject: string): Promise<void> {
    await this.#database.write((db) => [db.deleteFrom('comments').where('subject', '=', subject)])
  }
}

/** Returns the name of a subject in the rows. */
export function subjectOf(subject: Subject): string {
  return 'request' in subject ? `change-request ${subject.request}` : `page ${subject.siteId} ${subject.page}`
}

/** Returns the subject that a row names. */
export function readSubject(subject: string): Subject {
  const [kind, id = '', page = ''] = subject.split(' ')
  return kind === 'page' ? { siteId: id, page } : { request: id }
}

/** Returns the maker of what a guest with this link writes. */
export function guestOf(linkId: string): string {
  return `${GUEST}${linkId}`
}

function readComment({ commitOid: commit, asksForChanges, ...row }: CommentRow): Comment {
  return { ...row, commit, asksForChanges: asksForChanges === 1 }
}
