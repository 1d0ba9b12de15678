// Finds commits of a site on main's first-parent chain, and no others.

import type { Verified } from '../model/commits/facts.js'
import type { IdempotentRow } from './tables/rows.js'
import { type Condition, joinConditions, type RowReader } from './tables/sql.js'

export interface CommitQuery {
  /** Only commits that this principal made through the service, or brought in by `pushed`. */
  maker?: string | undefined
  /** Only commits that name this author, or brought in by `pushed`. */
  author?: string | undefined
  pushed?: readonly PushedCommits[] | undefined
  /** Only commits whose maker's name begins so. */
  makersOf?: string | undefined
  /** Only versions of this page. */
  pageId?: string | undefined
  /** Only commits after the newest one that is older than this, in seconds. */
  since?: number | undefined
  /** Only commits before this one. */
  before?: string | undefined
  /** Only commits up to this position. */
  upTo?: number | undefined
  limit: number
}

export interface CommitOrigin {
  /** Ordinal of the commit on the first-parent chain. */
  position: number
  /** Principal that made it through the service, if a signature of the service proves that. */
  maker: string | null
  verified: Verified
}

/** Commits of main after `before`, up to and including `after`. */
export interface PushedCommits {
  before: string
  after: string
}

/** Returns the idempotency key of a deploy. No hash has this form. */
export function deployKeyOf(deployId: string): string {
  return `deploy ${deployId.toLowerCase()}`
}

/** Returns the idempotency key of a change request, which is published once. No hash has this form. */
export function requestKeyOf(changeRequest: string): string {
  return `change request ${changeRequest.toLowerCase()}`
}

export class CommitQueries {
  readonly #rows: RowReader

  constructor(rows: RowReader) {
    this.#rows = rows
  }

  /** Finds the commits whose ids begin with `prefix` (hex, lower case); at most two of them. */
  findByPrefix(prefix: string): string[] {
    // `g` sorts after every hexadecimal digit.
    return this.#rows
      .all<{ oid: string }>('SELECT oid FROM commits WHERE oid >= ? AND oid < ? LIMIT 2', [prefix, `${prefix}g`])
      .map(({ oid }) => oid)
  }

  /** Lists the oids of matching commits, newest first. */
  list(query: CommitQuery): string[] {
    const { maker, makersOf, author, pushed = [], pageId, since, before, upTo, limit } = query
    const spans = this.#spansOf(pushed)
    const conditions: Condition[] = []
    if (maker !== undefined) conditions.push(madeOrPushed({ text: 'maker = ?', values: [maker] }, spans))
    if (author !== undefined) conditions.push(madeOrPushed({ text: 'author = ?', values: [author] }, spans))
    if (makersOf !== undefined) {
      conditions.push({ text: 'maker >= ? AND maker < ?', values: [makersOf, `${makersOf}\u{10ffff}`] })
    }
    if (since !== undefined) {
      const older = 'SELECT position FROM commits WHERE dated_at < ? ORDER BY dated_at DESC LIMIT 1'
      conditions.push({ text: `position > coalesce((${older}), 0)`, values: [since] })
    }
    if (before !== undefined) {
      const at = 'SELECT position FROM commits WHERE oid = ?'
      conditions.push({ text: `position < (${at})`, values: [before] })
    }
    if (upTo !== undefined) conditions.push({ text: 'position <= ?', values: [upTo] })
    if (pageId !== undefined) {
      const versions = 'SELECT commit_oid FROM versions WHERE page_id = ?'
      conditions.push({ text: `oid IN (${versions})`, values: [pageId] })
    }
    const where = joinConditions(conditions, 'AND')
    const by =
      spans.length > 0 ? 'position' : maker !== undefined ? 'maker' : author !== undefined ? 'author' : 'position'
    const from = pageId === undefined ? `commits INDEXED BY commits_by_${by}` : 'commits'
    return this.#rows
      .all<{ oid: string }>(`SELECT oid FROM ${from} WHERE ${where.text} ORDER BY position DESC LIMIT ?`, [
        ...where.values,
        limit,
      ])
      .map(({ oid }) => oid)
  }

  /** Returns the origins of those commits that are on main's first-parent history. */
  origins(oids: readonly string[]): Map<string, CommitOrigin> {
    const rows = this.#rows.all<CommitOrigin & { oid: string }>(
      `SELECT oid, position, maker, verified FROM commits WHERE oid IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(oids)],
    )
    return new Map(rows.map(({ oid, ...origin }) => [oid, origin]))
  }

  /** Counts the commits after `since` that the service did not sign, and that came by none of these pushes. A main without `since` has one. */
  countForeign(since: string, pushed: readonly PushedCommits[]): number {
    const start = this.positionOf(since)
    if (start === undefined) return 1
    const isPushed = this.#spansOf(pushed).map((span) => `position > ${span.start} AND position <= ${span.end}`)
    const others = isPushed.map((span) => ` AND NOT (${span})`).join('')
    return (
      this.#rows.first<{ count: number }>(
        `SELECT count(*) AS count FROM commits WHERE position > ? AND verified <> 'service'${others}`,
        [start],
      )?.count ?? 0
    )
  }

  /** Returns the positions of those pushes that are still in main's history. */
  #spansOf(pushed: readonly PushedCommits[]): Span[] {
    if (pushed.length === 0) return []
    const ends = pushed.flatMap(({ before, after }) => [before, after])
    const origins = this.origins(ends)
    return pushed.flatMap(({ before, after }) => {
      const [start, end] = [origins.get(before)?.position, origins.get(after)?.position]
      return start === undefined || end === undefined ? [] : [{ start, end }]
    })
  }

  /** Returns those of the commits that are on main's first-parent history, newest first. */
  onMain(oids: readonly string[]): string[] {
    return this.#rows
      .all<{ oid: string }>(
        `SELECT oid FROM commits WHERE oid IN (SELECT value FROM json_each(?)) ORDER BY position DESC`,
        [JSON.stringify(oids)],
      )
      .map(({ oid }) => oid)
  }

  /** Returns the commit's ordinal on the first-parent chain; undefined if the index does not know the commit. */
  positionOf(oid: string): number | undefined {
    const query = 'SELECT position FROM commits WHERE oid = ?'
    return this.#rows.first<{ position: number }>(query, [oid])?.position
  }

  /** Finds the newest commit that is not later than a time in seconds; the oldest for times before it. */
  findAsOf(time: number): string | undefined {
    const found =
      this.#rows.first<{ oid: string }>(
        'SELECT oid FROM commits WHERE dated_at <= ? ORDER BY dated_at DESC, position DESC LIMIT 1',
        [time],
      ) ??
      this.#rows.first<{ oid: string }>(
        'SELECT oid FROM commits WHERE dated_at IS NOT NULL ORDER BY dated_at, position LIMIT 1',
        [],
      )
    return found?.oid
  }

  /** Whether a commit after `oid` removed the file. */
  isRemovedAfter(treePath: string, oid: string): boolean {
    const found = this.#rows.first(
      `SELECT 1 AS found FROM removals
       WHERE tree_path = ? AND position > (SELECT position FROM commits WHERE oid = ?)`,
      [treePath, oid],
    )
    return found !== undefined
  }

  /** Finds the commit that published a deploy. */
  findByDeployId(deployId: string): string | undefined {
    return this.findByIdempotencyKey(deployKeyOf(deployId))?.commit
  }

  /** Finds the commit that published a change request. */
  findByChangeRequest(changeRequest: string): string | undefined {
    return this.findByIdempotencyKey(requestKeyOf(changeRequest))?.commit
  }

  /** Finds the newest commit that carried an idempotency key, however old. */
  findByIdempotencyKey(keyHash: string): IdempotentRow | undefined {
    return this.#rows.first<IdempotentRow>(
      'SELECT request_hash AS requestHash, commit_oid AS "commit", time FROM idempotency_keys WHERE key_hash = ?',
      [keyHash],
    )
  }
}

/** Positions after `start`, up to `end`. */
interface Span {
  start: number
  end: number
}

function madeOrPushed(made: Condition, spans: readonly Span[]): Condition {
  return spans.length === 0 ? made : joinConditions([made, pushedIn(spans)], 'OR')
}

/** Matches pushed commits that the service did not make: a commit made by the service belongs to its maker. */
function pushedIn(spans: readonly Span[]): Condition {
  const inSpan = spans.map(({ start, end }) => ({ text: 'position > ? AND position <= ?', values: [start, end] }))
  return joinConditions([{ text: 'maker IS NULL', values: [] }, joinConditions(inSpan, 'OR')], 'AND')
}
