// Finds commits of a site: those on main's first-parent chain, and no others.

import type { Verified } from '../../model/commits/facts.js'
import type { IdempotentRow } from './tables/rows.js'
import { type Condition, joinConditions, type RowReader } from './tables/sql.js'

export interface CommitQuery {
  /** Only commits that this principal made through the service, or brought in these pushes. */
  maker?: string | undefined
  pushed?: readonly PushedCommits[] | undefined
  /** Only versions of this page. */
  pageId?: string | undefined
  /** Only commits after those that are older than this, in seconds. */
  since?: number | undefined
  /** Only commits before this one. */
  before?: string | undefined
  limit: number
}

export interface CommitOrigin {
  /** Its ordinal on the first-parent chain. */
  position: number
  /** Who made it through the service, as far as a signature of the service proves that. */
  maker: string | null
  verified: Verified
}

/** Commits of main after one, up to and with another. */
export interface PushedCommits {
  before: string
  after: string
}

/** No hash has this form. */
export function deployKeyOf(deployId: string): string {
  return `deploy ${deployId.toLowerCase()}`
}

export class CommitQueries {
  readonly #rows: RowReader

  constructor(rows: RowReader) {
    this.#rows = rows
  }

  /** The commits whose ids begin with `prefix` (hex, lower case); at most two of them. */
  findByPrefix(siteId: string, prefix: string): string[] {
    // `g` follows every hexadecimal digit.
    return this.#rows
      .all<{ oid: string }>('SELECT oid FROM commits WHERE site_id = ? AND oid >= ? AND oid < ? LIMIT 2', [
        siteId,
        prefix,
        `${prefix}g`,
      ])
      .map(({ oid }) => oid)
  }

  /** Newest first. */
  list(siteId: string, query: CommitQuery): string[] {
    const { maker, pushed = [], pageId, since, before, limit } = query
    const spans = this.#spansOf(siteId, pushed)
    const conditions: Condition[] = [{ text: 'commits.site_id = ?', values: [siteId] }]
    if (maker !== undefined) conditions.push(madeOrPushed(maker, spans))
    if (since !== undefined) {
      const older = 'SELECT position FROM commits WHERE site_id = ? AND dated_at < ? ORDER BY dated_at DESC LIMIT 1'
      conditions.push({ text: `position > coalesce((${older}), 0)`, values: [siteId, since] })
    }
    if (before !== undefined) {
      const at = 'SELECT position FROM commits WHERE site_id = ? AND oid = ?'
      conditions.push({ text: `position < (${at})`, values: [siteId, before] })
    }
    if (pageId !== undefined) {
      const versions = 'SELECT commit_oid FROM versions WHERE site_id = ? AND page_id = ?'
      conditions.push({ text: `oid IN (${versions})`, values: [siteId, pageId] })
    }
    const where = joinConditions(conditions, 'AND')
    const index = maker !== undefined && spans.length === 0 ? 'commits_by_maker' : 'commits_by_position'
    const from = pageId === undefined ? `commits INDEXED BY ${index}` : 'commits'
    return this.#rows
      .all<{ oid: string }>(`SELECT oid FROM ${from} WHERE ${where.text} ORDER BY position DESC LIMIT ?`, [
        ...where.values,
        limit,
      ])
      .map(({ oid }) => oid)
  }

  /** What is known of the commits that main's first-parent history has. */
  origins(siteId: string, oids: readonly string[]): Map<string, CommitOrigin> {
    const rows = this.#rows.all<CommitOrigin & { oid: string }>(
      `SELECT oid, position, maker, verified FROM commits WHERE site_id = ? AND oid IN (SELECT value FROM json_each(?))`,
      [siteId, JSON.stringify(oids)],
    )
    return new Map(rows.map(({ oid, ...origin }) => [oid, origin]))
  }

  /** Positions of the pushes that main's history has still. */
  #spansOf(siteId: string, pushed: readonly PushedCommits[]): Span[] {
    if (pushed.length === 0) return []
    const ends = pushed.flatMap(({ before, after }) => [before, after])
    const origins = this.origins(siteId, ends)
    return pushed.flatMap(({ before, after }) => {
      const [start, end] = [origins.get(before)?.position, origins.get(after)?.position]
      return start === undefined || end === undefined ? [] : [{ start, end }]
    })
  }

  /** Those of the commits that main's first-parent history has, newest first. */
  onMain(siteId: string, oids: readonly string[]): string[] {
    return this.#rows
      .all<{ oid: string }>(
        `SELECT oid FROM commits WHERE site_id = ? AND oid IN (SELECT value FROM json_each(?)) ORDER BY position DESC`,
        [siteId, JSON.stringify(oids)],
      )
      .map(({ oid }) => oid)
  }

  /** Its ordinal on the first-parent chain; undefined where the index does not know the commit. */
  positionOf(siteId: string, oid: string): number | undefined {
    const query = 'SELECT position FROM commits WHERE site_id = ? AND oid = ?'
    return this.#rows.first<{ position: number }>(query, [siteId, oid])?.position
  }

  /** The newest commit that is not later than a time in seconds; the oldest for times before it. */
  findAsOf(siteId: string, time: number): string | undefined {
    const found =
      this.#rows.first<{ oid: string }>(
        'SELECT oid FROM commits WHERE site_id = ? AND dated_at <= ? ORDER BY dated_at DESC, position DESC LIMIT 1',
        [siteId, time],
      ) ??
      this.#rows.first<{ oid: string }>(
        'SELECT oid FROM commits WHERE site_id = ? AND dated_at IS NOT NULL ORDER BY dated_at, position LIMIT 1',
        [siteId],
      )
    return found?.oid
  }

  /** Whether a commit after `oid` removed the file. */
  isRemovedAfter(siteId: string, treePath: string, oid: string): boolean {
    const found = this.#rows.first(
      `SELECT 1 AS found FROM removals
       WHERE site_id = ?1 AND tree_path = ?2
         AND position > (SELECT position FROM commits WHERE site_id = ?1 AND oid = ?3)`,
      [siteId, treePath, oid],
    )
    return found !== undefined
  }

  /** The commit that published a deploy. */
  findByDeployId(siteId: string, deployId: string): string | undefined {
    return this.findByIdempotencyKey(siteId, deployKeyOf(deployId))?.commit
  }

  /** The newest commit that carried an idempotency key, however old. */
  findByIdempotencyKey(siteId: string, keyHash: string): IdempotentRow | undefined {
    return this.#rows.first<IdempotentRow>(
      'SELECT request_hash AS requestHash, commit_oid AS "commit", time FROM idempotency_keys WHERE site_id = ? AND key_hash = ?',
      [siteId, keyHash],
    )
  }
}

/** Positions after `start`, up to `end`. */
interface Span {
  start: number
  end: number
}

function madeOrPushed(maker: string, spans: readonly Span[]): Condition {
  const made = { text: 'maker = ?', values: [maker] }
  return spans.length === 0 ? made : joinConditions([made, pushedIn(spans)], 'OR')
}

/** What the service made is its maker's, whoever pushed it. */
function pushedIn(spans: readonly Span[]): Condition {
  const inSpan = spans.map(({ start, end }) => ({ text: 'position > ? AND position <= ?', values: [start, end] }))
  return joinConditions([{ text: 'maker IS NULL', values: [] }, joinConditions(inSpan, 'OR')], 'AND')
}
