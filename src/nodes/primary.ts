// Tracks the PostgreSQL primary, which answers the polls. A node trusts it for one second after sending a write that it committed. A
// replaced primary has no standby to confirm a write, so trust ends before its successor takes writes.

import { randomUUID } from 'node:crypto'
import { BEAT, type BeatRow, LEAVE, LIVE_MS, type LiveNode, type PrimaryState, TIME } from './beat.js'
import { Connections } from './postgres/connections.js'
import { DatabaseUnavailable, WritesUnsafe } from './postgres/database-errors.js'
import { TABLES_VERSION, TIMELINE } from './postgres/connect.js'
import type { DatabaseSettings } from './postgres/database-url.js'
import type { KnownPrimary } from './postgres/known-primary.js'
import { isSplittable, type Standbys } from './postgres/standbys.js'
import type { Oid } from '../git/objects/oid.js'
import { SharedRun } from '../threads/shared-run.js'
import { SIGNERS_MARK } from './signers.js'

/** Time on this process's monotonic clock. A new primary takes no write for longer than this (src/nodes/postgres/connect.ts). */
const TRUST_MS = 1000
/** With less trust left, the next write is sent while requests go on. */
const RENEW_MS = 500
/** One for polls and one for beats, used by nothing else. */
const CONNECTIONS = 2
const POLL_MS = 2000
const FORGET = "DELETE FROM palimpsest.nodes WHERE beat_at < clock_timestamp() - interval '1 day'"
/** A server restored from a dump may have counted fewer transactions than the one before: then every poll would return its moves. */
const RENUMBER =
  'UPDATE log.sites SET changed = pg_current_xact_id() WHERE changed >= pg_snapshot_xmax(pg_current_snapshot())'

export interface CatalogPosition {
  version: string
  /** Tells apart two histories with the same versions. */
  mark: string
}

/** The refs of a log. */
export interface SiteRefs {
  /** Main, or the branch of a change request; null once the log has ended. */
  head: Oid | null
  /** A mark over all tags. */
  tags: string
}

/** A log that moved. */
export interface Move extends SiteRefs {
  /** The id of the site or of the change request. */
  site: string
  /** The site, if this is the log of a change request. */
  requestOf: string | null
}

/** The moves since an earlier poll. */
export interface Moves {
  catalog: CatalogPosition
  sites: readonly Move[]
  /** Changes with the keys that sign the service's commits. */
  signers: string
  /** Start of the next poll: it misses nothing that this poll did not find. */
  upTo: string
}

interface Row {
  upTo: string
  timeline: number
  time: number
  version: string
  mark: string
  signers: string
  site: string | null
  head: Oid | null
  tags: string
  requestOf: string | null
}

/**
 * One statement, and so as of one moment. Heads are selected by transactions, not by a number for each move. A transaction that was
 * unfinished at an earlier poll is at or after the oldest one running then. So no move is missed, and one may come twice.
 */
const POLL = `
  SELECT now.*, catalog.version.version, catalog.version.mark, sites.site, sites.head, sites.tags,
    sites.request_of AS "requestOf"
  FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS "upTo", ${TIMELINE} AS timeline,
          ${TIME} AS time, (SELECT ${SIGNERS_MARK}) AS signers) AS now
  CROSS JOIN catalog.version LEFT JOIN log.sites ON changed >= $1::xid8`

/** A node's description of itself. */
export interface NodeSelf {
  /** Number that its operator gave it. */
  number?: number | undefined
  version: string
  /** Called if this program may no longer write, since the tables need this version. */
  onOldProgram?: (needed: number) => void
  /** Called with the reason if the setting `synchronous_standby_names` makes writes unsafe; with undefined once they are safe again. */
  onUnsafe?: (standbyNames: string, reason: string | undefined) => void
}

export class Primary {
  readonly #connections: Connections
  readonly #id = randomUUID()
  readonly #self: NodeSelf
  readonly #known: KnownPrimary
  readonly #isFenced: boolean
  readonly #beats = new SharedRun(() => this.#beat())
  #isRenewing = false
  #trusted = { timeline: 0, until: -Infinity }
  /** The server's clock minus this process's monotonic clock, in milliseconds. */
  #offset: number | undefined
  #others: { nodes: readonly LiveNode[]; asOf: number } = { nodes: [], asOf: -Infinity }
  #state: PrimaryState = { server: 'unknown', promise: 'one server', timeline: 0 }
  #leastVersion = 0
  /** Value of the last beat. */
  #wasUnsafe = false

  constructor(settings: DatabaseSettings, known: KnownPrimary, self: NodeSelf) {
    this.#connections = new Connections(settings, CONNECTIONS, known)
    this.#self = self
    this.#known = known
    this.#isFenced = settings.isFenced
  }

  /** Registers this node, and forgets nodes that are gone. From then on `now` is the server's time. Throws DatabaseUnavailable. */
  async begin(): Promise<void> {
    await this.#beats.after()
    await this.#connections.use(async (session) => {
      await session.query(FORGET)
      await session.query(RENUMBER)
    }, POLL_MS)
  }

  /** Returns the moves since an earlier answer (`since`); all without one or under another primary. Throws DatabaseUnavailable. */
  async pollMoves(since: string | undefined): Promise<Moves> {
    const [timelineOfSince, upToOfSince = '0'] = since?.split(' ') ?? []
    const { rows } = await this.#connections.use(
      (session) => session.query<Row>({ name: 'poll', text: POLL, values: [upToOfSince] }),
      POLL_MS,
    )
    const [first] = rows
    if (first === undefined) throw new Error('the catalog has no version')
    const { upTo, timeline, time, version, mark, signers } = first
    this.#offset = time - performance.now()
    // Numbers of another primary have no meaning here.
    if (timelineOfSince !== undefined && timelineOfSince !== String(timeline)) return await this.pollMoves(undefined)
    await this.#untilTrusted(timeline)
    const sites = rows.flatMap(({ site, head, tags, requestOf }) =>
      site === null ? [] : [{ site, head, tags, requestOf }],
    )
    return { catalog: { version, mark }, signers, sites, upTo: `${timeline} ${upTo}` }
  }

  /** Returns the server's time, independent of this machine's clock. */
  now(): Date {
    return new Date(this.#offset === undefined ? Date.now() : performance.now() + this.#offset)
  }

  /** Returns the other live nodes, as of the last beat; none once that is too old to tell. */
  others(): readonly LiveNode[] {
    return performance.now() - this.#others.asOf < LIVE_MS ? this.#others.nodes : []
  }

  /** Returns the state of the primary, as of the last beat. */
  state(): PrimaryState {
    return this.#state
  }

  /** Returns why this node takes no writes; undefined if it does. */
  writeFault(): string | undefined {
    if (this.#isProgramOld()) return `This program is too old to write: the tables need version ${this.#leastVersion}.`
    return this.#known.isUnsafe() ? new WritesUnsafe().message : undefined
  }

  async close(): Promise<void> {
    await this.#connections.use((session) => session.query(LEAVE, [this.#id]), TRUST_MS).catch(() => undefined)
    await this.#connections.close()
  }

  /** Waits until the primary is trusted. If the trust has ended, one more write decides. */
  async #untilTrusted(timeline: number): Promise<void> {
    const left = this.#leftOf(timeline)
    if (left <= 0) await this.#beats.after()
    else if (left < RENEW_MS) void this.#renew()
    if (this.#leftOf(timeline) <= 0)
      throw new DatabaseUnavailable('The PostgreSQL server commits nothing: it was replaced, or waits for its standby.')
  }

  #leftOf(timeline: number): number {
    return this.#trusted.timeline === timeline ? this.#trusted.until - performance.now() : 0
  }

  /** Renews the trust. Errors are ignored: the request that finds the trust ended reports why. */
  async #renew(): Promise<void> {
    if (this.#isRenewing) return
    this.#isRenewing = true
    await this.#beats.after().catch(() => undefined)
    this.#isRenewing = false
  }

  async #beat(): Promise<void> {
    const sent = performance.now()
    const values = [this.#id, this.#self.number, this.#self.version]
    // A later answer would no longer be true.
    const { rows } = await this.#connections.use(
      (session) => session.query<BeatRow>({ name: 'beat', text: BEAT, values }),
      TRUST_MS,
    )
    const [row] = rows
    if (row === undefined) throw new Error('the beat has no answer')
    const { time, others, leastVersion, standbyNames, connected, ...state } = row
    this.#noteVersion(leastVersion)
    this.#noteStandbys({ standbyNames, connected })
    const { timeline } = state
    this.#state = state
    this.#others = { nodes: others, asOf: sent }
    this.#offset = time - performance.now()
    this.#trusted = { timeline, until: sent + TRUST_MS }
  }

  #isProgramOld(): boolean {
    return this.#leastVersion > TABLES_VERSION
  }

  #noteVersion(leastVersion: number): void {
    const wasOld = this.#isProgramOld()
    this.#leastVersion = leastVersion
    if (!wasOld && this.#isProgramOld()) this.#self.onOldProgram?.(leastVersion)
  }

  /** Notes the setting, which the operator may change at any time. */
  #noteStandbys(standbys: Standbys): void {
    const isUnsafe = !this.#isFenced && isSplittable(standbys)
    this.#known.noteUnsafe(isUnsafe)
    if (isUnsafe === this.#wasUnsafe) return
    this.#wasUnsafe = isUnsafe
    this.#self.onUnsafe?.(standbys.standbyNames, isUnsafe ? new WritesUnsafe().message : undefined)
  }
}
