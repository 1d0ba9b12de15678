// Opens this machine as one of several that share a database (DATABASE_URL). The database has the catalog and the logs of the sites. A
// node answers only once it has everything that any node has answered. This code is loaded only if there is a database.

import { hostname } from 'node:os'
import { waited } from '../../admission/waits.js'
import { openNodeCatalog } from '../catalog/node-catalog.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { Clock } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { type Care, Caretaker } from '../caretaker.js'
import { DiskWatch } from '../disk-watch.js'
import { Leases, LEASE_STEPS } from '../leases.js'
import type { Joining } from '../joining.js'
import { type NodeReport, showReport } from '../node-report.js'
import type { ReadBarrier } from '../read-barrier.js'
import { Primary } from '../primary.js'
import { NODE_STEPS } from '../schema.js'
import { Signers } from '../signers.js'
import { Connections } from '../postgres/connections.js'
import { parseDatabaseUrl } from '../postgres/database-url.js'
import { migrate } from '../postgres/migrate.js'
import { KnownPrimary } from '../postgres/known-primary.js'
import { LOG_STEPS } from '../log/schema.js'
import type { Replica } from '../../repository/protocol/replica.js'
import type { SiteRef } from '../../repository/protocol/write.js'
import type { LogSettings } from '../../repository/protocol/writer-messages.js'
import type { Store } from '../../repository/store.js'
import type { Leases as UsedLeases } from '../../threads/leases.js'
import { type NodeListener, openJoining, openReadBarrier, reasonOf } from './open-read-barrier.js'
import { shareLeases } from './shared-leases.js'

export interface OpenNode extends Replica {
  catalog: Catalog
  leases: UsedLeases
  /** A mark that changes with the contents of this node's catalog. */
  catalogMark(): string | undefined
  /** The database's clock: this machine's own may be wrong. */
  clock: Clock
  /** Settings for the store. */
  database: Omit<LogSettings, 'threads'>
  /**
   * Whether the site may be served stale (RFC 9111). This node must have every change that it knows of, and an answer of the database
   * that is younger than SERVE_STALE_SECONDS.
   */
  mayServeStale(site: SiteRef): boolean
  /** Whether this node's copy of the site may be older than that of other nodes. */
  isBehind(site: SiteRef): boolean
  /** Starts the read barrier: from now on `untilCurrent` updates the store's repositories. */
  startReadBarrier(store: Store, listener: NodeListener, onFailure: (error: unknown) => void): void
  /** Takes this care from now on, whenever no other node has it. */
  takeCare(care: Care): void
  /** Ends the care. */
  endCare(): Promise<void>
  /** Runs work that only one node may do at a time. */
  alone<T>(work: () => Promise<T>): Promise<T>
  /** Call it after closing the catalog. */
  close(): Promise<void>
}

/** Connections for the catalog. The writer threads and the log have the node's others. */
const CATALOG_CONNECTIONS = 4
/** An arbitrary number; no other program may use it as an advisory lock in this database. */
const ALONE_LOCK = 7_203_140_916
const ALONE_MS = 60_000

export interface NodeOptions {
  /** Whether the operator of the database guarantees fencing (FENCED). */
  isFenced: boolean
  /** Distinguishes this node from the others. */
  number: number | undefined
  /** The version of this program. */
  version: string
  /** Time without the database for which public pages are still shown. */
  serveStaleSeconds: number
  /** With less free disk space, this node takes no writes. */
  diskReserveBytes: number
  /** Called with the reason why this machine can store nothing, and with undefined once it can again. */
  onDiskChange: (fault: string | undefined) => void
  /** Called with progress reports of a starting node, for the log. */
  onJoining: (what: string, fields: object) => void
  /** Called when this node's key was revoked elsewhere and replaced by a new one. */
  onKeyRenewed: () => void
  /** Called when this program may only read from now on: the tables need the given version. */
  onOldProgram: (needed: number) => void
  /** Called with the reason why PostgreSQL's setting `synchronous_standby_names` forbids writes; with undefined once it allows them. */
  onUnsafe: (standbyNames: string, reason: string | undefined) => void
}

export async function openNode(
  url: string,
  dataDir: string,
  {
    isFenced,
    number,
    version,
    serveStaleSeconds,
    diskReserveBytes,
    onDiskChange,
    onJoining,
    onKeyRenewed,
    onOldProgram,
    onUnsafe,
  }: NodeOptions,
): Promise<OpenNode> {
  const known = new KnownPrimary()
  const settings = parseDatabaseUrl(url, isFenced)
  const connections = new Connections(settings, CATALOG_CONNECTIONS, known)
  const self = { number, version }
  const primary = new Primary(settings, known, { ...self, onOldProgram, onUnsafe })
  const clock = () => primary.now()
  const shared = await openNodeCatalog(dataDir, connections, clock)
  const { catalog } = shared
  await migrate(connections, [...LOG_STEPS, ...NODE_STEPS, ...LEASE_STEPS])
  await primary.begin()
  const signers = new Signers({ connections, dataDir, node: hostname(), clock, onRenewed: onKeyRenewed })
  await signers.begin()
  const leases = new Leases(connections)
  const follow = () => shared.follow()
  let barrier: ReadBarrier | undefined
  let lastError: NodeReport['lastError'] = null
  let slugsBehind = (): NodeReport['behind'] => []
  const note = (error: unknown) => (lastError = { message: reasonOf(error), at: clock() })
  const disk = new DiskWatch(dataDir, diskReserveBytes, onDiskChange)
  let caretaker: Caretaker | undefined
  let joining: Joining | undefined
  const hadCatalog = () => barrier?.hadCatalogWithin(serveStaleSeconds * 1000) === true
  const node: OpenNode = {
    catalog,
    clock,
    database: { url, isFenced, primary: known.shared },
    mayServeStale: ({ id }) => hadCatalog() && barrier?.isBehind(id) === false,
    startReadBarrier(store, listener, onFailure) {
      slugsBehind = () => [
        ...new Set(store.troubles.list().flatMap(({ kind, slug }) => (kind === 'behind' ? [slug] : []))),
      ]
      barrier = openReadBarrier({ primary, shared, signers, store, listener }, (error) => {
        note(error)
        onFailure(error)
      })
      joining = openJoining({ barrier, connections, store, onJoining })
    },
    isBehind: ({ id }) => barrier?.hasPolled() !== true || barrier.isBehind(id),
    catalogMark: () => shared.mark(),
    leases: shareLeases(leases, follow),
    followCatalog: follow,
    takeCare: (care) => void (caretaker = new Caretaker(leases, care)),
    putRight: async (site) => await barrier?.putRight(site),
    async untilCurrent() {
      if (barrier === undefined) return
      await waited('database', barrier.untilCurrent()).catch((error: unknown) => {
        note(error)
        throw Object.assign(new ServiceError('storage_failed', BEHIND), { cause: error })
      })
    },
    diskFault: () => disk.fault(),
    report(isTold) {
      const report: NodeReport = {
        database: primary.state(),
        writeFault: primary.writeFault() ?? null,
        completeAsOf: new Date(clock().getTime() - performance.now() + (barrier?.polledAt() ?? performance.now())),
        behind: slugsBehind(),
        nodes: [{ ...self, number: number ?? null }, ...primary.others()],
        lastError,
      }
      return showReport(report, isTold)
    },
    endCare: async () => await caretaker?.close(),
    alone: (work) =>
      connections.use(async (session) => {
        await session.query('SELECT pg_advisory_lock($1)', [ALONE_LOCK])
        await shared.follow()
        const result = await work()
        await session.query('SELECT pg_advisory_unlock($1)', [ALONE_LOCK])
        return result
      }, ALONE_MS),
    async close() {
      disk.close()
      joining?.close()
      barrier?.close()
      await primary.close()
      await connections.close()
    },
  }
  return node
}

const BEHIND = 'This node may lack changes that other nodes have acknowledged. Try again, or use another node.'
