// Makes what differs between a machine on its own and a node, which shares a database with others (DATABASE_URL). No other file asks
// which it is.

import type { Logger } from 'pino'
import { type Catalog, openCatalog } from '../catalog/catalog.js'
import type { Care } from '../nodes/caretaker.js'
import type { OpenNode } from '../nodes/opening/open-node.js'
import type { NodeListener } from '../nodes/opening/open-read-barrier.js'
import type { Clock } from '../model/clock.js'
import { ONLY_REPLICA, type Replica } from '../repository/protocol/replica.js'
import type { SiteRef } from '../repository/protocol/write.js'
import type { LogSettings } from '../repository/protocol/writer-messages.js'
import type { Store } from '../repository/store.js'
import { type Leases, OwnLeases } from '../threads/leases.js'
import type { Services } from '../usecases/context/services.js'
import type { Timetable } from '../usecases/requests/schedule/timetable.js'
import { AbandonedWork } from '../usecases/provisioning/abandoned-work.js'
import type { Config } from './config/config.js'
import { packageVersion } from '../threads/package-version.js'
import { refuseOtherData } from './data-dir.js'

/** The services, and the times at which one machine publishes. */
type Cared = Services & { timetable: Timetable }

export interface Machine {
  catalog: Catalog
  clock: Clock
  leases: Leases
  replica: Replica
  /** Settings of the logs that machines share; undefined if the repositories here are the only ones. */
  database: Omit<LogSettings, 'threads'> | undefined
  /** From now on the store follows the other machines. */
  follow(store: Store, listener: NodeListener): void
  /** Whether the copy of the site here may be older than that of other machines. */
  isBehind(site: SiteRef): boolean
  /** How hosted pages stay as new as on other machines; empty for a machine on its own. */
  freshness: Partial<Pick<OpenNode, 'untilCurrent' | 'mayServeStale'>>
  /** Runs work of the start. If several machines start, they run it one after the other. */
  alone<T>(work: () => Promise<T>): Promise<T>
  /** Finishes or undoes what an interrupted process of this machine left. */
  recover(services: Services): Promise<void>
  /** From now on does the work that belongs to no request, unless another machine does it. */
  takeCare(cared: Cared): void
  endCare(): Promise<void>
  /** Says in the log that this machine takes nothing new. */
  noteLeaving(): void
  /** Closes what is shared with other machines. Call it after closing the catalog. */
  close(): Promise<void>
}

/** Throws CatalogUnusable, InvalidConfiguration and DatabaseUnavailable. */
export async function openMachine(config: Config, parts: { clock: Clock; logger: Logger }): Promise<Machine> {
  refuseOtherData(config)
  return config.databaseUrl === undefined
    ? ownMachine(await openCatalog(config.dataDir, { clock: parts.clock }), parts.clock)
    : sharedMachine(await openNodeOf(config, config.databaseUrl, parts.logger), parts.logger)
}

function ownMachine(catalog: Catalog, clock: Clock): Machine {
  return {
    catalog,
    clock,
    leases: new OwnLeases(),
    replica: ONLY_REPLICA,
    database: undefined,
    follow: () => undefined,
    isBehind: () => false,
    freshness: {},
    alone: (work) => work(),
    async recover(services) {
      await services.provisioner.recover()
      await services.imports.recover()
    },
    takeCare({ mirrors, timetable }) {
      mirrors.start()
      timetable.start()
    },
    endCare: async () => undefined,
    noteLeaving: () => undefined,
    close: async () => undefined,
  }
}

function sharedMachine(node: OpenNode, logger: Logger): Machine {
  const { catalog, clock, leases, database } = node
  return {
    catalog,
    clock,
    leases,
    replica: node,
    database,
    follow: (store, listener) =>
      node.startReadBarrier(store, listener, (error) =>
        logger.error({ err: error }, 'this node cannot follow the others'),
      ),
    isBehind: (site) => node.isBehind(site),
    freshness: { untilCurrent: () => node.untilCurrent(), mayServeStale: (site) => node.mayServeStale(site) },
    alone: (work) => node.alone(work),
    // The node with the care lease does it, also for nodes that are gone.
    recover: async () => undefined,
    takeCare: (cared) => node.takeCare(careOf(node, cared, logger)),
    endCare: () => node.endCare(),
    noteLeaving: () => logger.info('stopping: this node reports that it is not ready, and still answers requests'),
    async close() {
      await node.close()
      logger.info('left: what came here is answered')
    },
  }
}

/** The work that one of several nodes does for all. */
function careOf(node: OpenNode, { catalog, imports, provisioner, mirrors, timetable }: Cared, logger: Logger): Care {
  const abandoned = new AbandonedWork({ catalog, leases: node.leases, replica: node, imports, provisioner })
  let seen: string | undefined
  return {
    begin() {
      mirrors.start()
      timetable.start()
    },
    async tend() {
      if (seen !== node.catalogMark()) mirrors.recheck()
      seen = node.catalogMark()
      await abandoned.settle()
    },
    end() {
      mirrors.stop()
      timetable.stop()
    },
    onError: (error) => logger.warn({ err: error }, 'cannot finish the work that dead nodes left; trying again'),
  }
}

/** Joins the other nodes. Their code is loaded only here. */
async function openNodeOf(config: Config, url: string, logger: Logger): Promise<OpenNode> {
  const { openNode } = await import('../nodes/opening/open-node.js')
  return await openNode(url, config.dataDir, {
    isFenced: config.isFenced,
    number: config.nodeNumber,
    version: packageVersion(),
    serveStaleSeconds: config.serveStaleSeconds,
    diskReserveBytes: config.limits.diskReserveBytes,
    onDiskChange: (fault) =>
      fault === undefined
        ? logger.info('the disk takes writes again: this node is back')
        : logger.error({ fault }, 'nothing can be stored on this disk: this node is not ready until it can'),
    onJoining: (what, fields) => logger.info(fields, what),
    onOldProgram: (needed) =>
      logger.error(
        { needed },
        'this program is too old to write: the tables belong to a newer version. This node reads on: upgrade it',
      ),
    onUnsafe: (standbyNames, reason) =>
      reason === undefined
        ? logger.info({ standbyNames }, 'this node takes writes again: every standby that could confirm one has to')
        : logger.error({ standbyNames }, `this node takes no writes: ${reason}`),
    onKeyRenewed: () => logger.warn('the key that signs commits here was revoked: this node made a new one'),
  })
}
