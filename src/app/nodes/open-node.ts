// This machine as one of several that share a database (DATABASE_URL): the catalog and the logs of the sites are there, and what
// any node has answered is here before this one answers. Loaded only where there is a database.

import { hostname } from 'node:os'
import { openNodeCatalog } from '../../catalog/nodes/node-catalog.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { Clock } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { type Care, Caretaker } from '../../nodes/caretaker.js'
import { DiskWatch } from '../../nodes/disk-watch.js'
import { Leases, LEASE_STEPS } from '../../nodes/leases.js'
import type { Joining } from '../../nodes/joining.js'
import type { Look } from '../../nodes/look.js'
import { Primary } from '../../nodes/primary.js'
import { NODE_STEPS } from '../../nodes/schema.js'
import { Signers } from '../../nodes/signers.js'
import { packageVersion } from '../../config/package-version.js'
import { Connections } from '../../postgres/connections.js'
import { parseDatabaseUrl } from '../../postgres/database-url.js'
import { migrate } from '../../postgres/migrate.js'
import { KnownPrimary } from '../../postgres/known-primary.js'
import { LOG_STEPS } from '../../store/log/schema.js'
import type { SiteRef } from '../../store/protocol/write.js'
import type { LogSettings } from '../../store/protocol/writer-messages.js'
import type { Store } from '../../store/store.js'
import type { NodeReport, ServiceNode } from '../../usecases/context/services.js'
import { idempotencyKeysByLease, importsByLease } from './leased-work.js'
import { openJoining, openLook, reasonOf } from './open-look.js'

export interface OpenNode extends ServiceNode {
  catalog: Catalog
  /** The database's time: this machine's own may be wrong. */
  clock: Clock
  /** For the store. */
  database: Omit<LogSettings, 'threads'>
  /** Whether all that this node knew of the site within SERVE_STALE_SECONDS is here. */
  mayBeOld(site: SiteRef): boolean
  /** Whether the site here may be older than what the others have. */
  isBehind(site: SiteRef): boolean
  /** From now on `untilCurrent` brings the store's repositories along. */
  startLook(store: Store, onFailure: (error: unknown) => void): void
  /** From now on the node has this care, whenever no other has it. */
  takeCare(care: Care): void
  /** Ends that. */
  endCare(): Promise<void>
  /** Runs work that one node at a time does. */
  alone<T>(work: () => Promise<T>): Promise<T>
  /** Call it after the catalog was closed. */
  close(): Promise<void>
}

/** Of the connections that a node has in all; the writer threads and the log have the others. */
const CATALOG_CONNECTIONS = 4
/** Any number that no other program takes as its advisory lock in this database. */
const ALONE_LOCK = 7_203_140_916
const ALONE_MS = 60_000

export interface NodeOptions {
  /** Whether the operator of the database fences (FENCED). */
  isFenced: boolean
  /** Tells this node from the others. */
  number: number | undefined
  /** For so long without the database public pages are shown as they were. */
  serveStaleSeconds: number
  /** With less room on the disk this node takes no writes. */
  diskReserveBytes: number
  /** Told why this machine can store nothing, and when it can again. */
  onDiskChange: (fault: string | undefined) => void
  /** Told what to say of how far a node that starts is. */
  onJoining: (what: string, fields: object) => void
  /** Told that this node's key was ended elsewhere, and that it has a new one. */
  onKeyRenewed: () => void
  /** Told that this program may only read from now on, since the tables need this version. */
  onOldProgram: (needed: number) => void
  /** Told why nothing may be written to PostgreSQL with its setting `synchronous_standby_names`; undefined once it may again. */
  onUnsafe: (standbyNames: string, reason: string | undefined) => void
}

export async function openNode(
  url: string,
  dataDir: string,
  {
    isFenced,
    number,
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
  const self = { number, version: packageVersion() }
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
  let look: Look | undefined
  let lastError: NodeReport['lastError']
  const note = (error: unknown) => (lastError = { message: reasonOf(error), at: clock() })
  const disk = new DiskWatch(dataDir, diskReserveBytes, onDiskChange)
  let caretaker: Caretaker | undefined
  let joining: Joining | undefined
  const hadCatalog = () => look?.hadCatalogWithin(serveStaleSeconds * 1000) === true
  const node: OpenNode = {
    catalog,
    clock,
    database: { url, isFenced, primary: known.shared },
    mayBeOld: ({ id }) => hadCatalog() && look?.sitesBehind().has(id) === false,
    startLook(store, onFailure) {
      look = openLook({ primary, shared, signers, store }, (error) => {
        note(error)
        onFailure(error)
      })
      joining = openJoining({ look, connections, catalog, store, onJoining })
    },
    isBehind: ({ id }) => look?.hasLooked() !== true || look.sitesBehind().has(id),
    catalogMark: () => shared.mark(),
    imports: importsByLease(leases, follow),
    idempotencyKeys: idempotencyKeysByLease(leases, follow),
    takeCare: (care) => void (caretaker = new Caretaker(leases, care)),
    putRight: async (site) => await look?.putRight(site),
    async untilCurrent() {
      await look?.untilCurrent().catch((error: unknown) => {
        note(error)
        throw Object.assign(new ServiceError('storage_failed', BEHIND), { cause: error })
      })
    },
    describe: () => ({
      database: primary.state(),
      writeFault: primary.writeFault(),
      nodes: [{ ...self, number: number ?? null }, ...primary.others()],
      completeAsOf: new Date(clock().getTime() - performance.now() + (look?.lookedAt() ?? performance.now())),
      lastError,
      diskFault: disk.fault(),
    }),
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
      look?.close()
      await primary.close()
      await connections.close()
    },
  }
  return node
}

const BEHIND = 'This node cannot be brought to what the others have answered. Try again, or ask another node.'
