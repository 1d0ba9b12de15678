// Opens the data directory: catalog, index and store, with their threads and caches, as the services of the use cases.

import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Admission } from '../admission/admission.js'
import { type Catalog, openCatalog } from '../catalog/catalog.js'
import { holdDataDir } from '../catalog/sqlite/data-dir-lock.js'
import { SiteIndexes } from '../index/site-index.js'
import type { Address } from './config/address.js'
import type { Config } from './config/config.js'
import { packageVersion } from './config/package-version.js'
import { HostedReader } from '../protocols/host/reading/hosted-reader.js'
import { Indexer } from '../indexing/indexer.js'
import { TextIndexer } from '../indexing/text/text-indexer.js'
import { SiteIndexFollower } from '../indexing/site-index-follower.js'
import type { Clock, MakeId } from '../model/clock.js'
import { PREVIEW_SECONDS } from '../model/limits.js'
import { markOfMachine } from '../model/machine-mark.js'
import { MirrorSync } from '../repository/mirrors/mirror-sync.js'
import { PrivateRemotes } from '../git/remotes/remote-address.js'
import { Introspection } from '../catalog/identity/introspection.js'
import { Troubles } from '../repository/health/troubles.js'
import { writePushLimits } from '../repository/hooks/push-limits.js'
import { PushLine } from '../repository/pushing/push-line.js'
import { DeployFolders } from '../repository/uploads/deploy-folders.js'
import { Uploads } from '../repository/uploads/uploads.js'
import { Previews } from '../repository/reading/previews.js'
import { ONLY_REPLICA } from '../repository/protocol/replica.js'
import { Store } from '../repository/store.js'
import { IdempotencyGuard } from '../usecases/context/idempotency.js'
import { sortedJson } from '../usecases/context/sorted-json.js'
import type { Services } from '../usecases/context/services.js'
import { refuseImportBeyond } from '../usecases/quotas/refuse-beyond.js'
import { SiteSizes } from '../usecases/quotas/site-sizes.js'
import { WorkspaceUsage } from '../usecases/quotas/workspace-usage.js'
import { Imports } from '../usecases/provisioning/imports.js'
import { Provisioner } from '../usecases/provisioning/provisioner.js'
import type { Tasks } from '../tasks/tasks.js'
import { TaskPool } from '../tasks/task-pool.js'
import { ENTRIES } from '../threads/entries.js'
import { OwnLeases } from '../threads/leases.js'
import { prepareDataDir, refuseOtherData, removeFormerIndex } from './data-dir.js'
import { logTroubles } from './log-troubles.js'
import type { OpenNode } from '../nodes/opening/open-node.js'
import { openSecretBox } from './secrets-key.js'

/** Cache limit for pages in other forms than HTML. */
const KEPT_FORMS_CHARACTERS = 16 * 1024 * 1024
/** Long enough for a deploy of 2 GiB, which copies and reads that much. */
const MAX_LONG_TASK_MS = 60_000

export interface ServiceParts {
  logger: Logger
  clock: Clock
  newId: MakeId
  /** Longest time that a read waits for the index; tests on a busy machine wait longer. */
  maxIndexWaitMs?: number
}

export interface OpenServices {
  services: Services
  /** Set if this machine shares a database with others. */
  node: OpenNode | undefined
  /** Runs work of the start. If several nodes start, they run it one after the other. */
  alone: <T>(work: () => Promise<T>) => Promise<T>
  indexes: SiteIndexes
  troubles: Troubles
  /** Reads for visitors. */
  hostedReader: HostedReader
  /** Lets the index follow the site, without waiting for it. */
  catchUpLater: (siteId: string) => void
  /** Waits for queued writes, then closes every file and thread. */
  close: () => Promise<void>
}

/** Throws DataDirInUse if another process serves the folder, and CatalogUnusable if the catalog is lost or damaged. */
export async function openServices(
  config: Config,
  address: Address,
  parts: ServiceParts & { admission: Admission },
): Promise<OpenServices> {
  const { logger, newId, admission } = parts
  const { limits, dataDir } = config
  const secrets = openSecretBox(config)
  prepareDataDir(config, logger)
  const release = holdDataDir(dataDir, 'writer')
  const { catalog, node } = await openOwner(config, parts).catch((error: unknown) => {
    release()
    throw error
  })
  removeFormerIndex(dataDir)
  const clock = node?.clock ?? parts.clock
  const mark = config.nodeNumber === undefined ? '' : markOfMachine(config.nodeNumber)
  const onDamaged = (file: string, reason: unknown) =>
    logger.error(
      { err: reason, file },
      'the index of a site was damaged: it is removed, and built anew from the repository',
    )
  const indexes = new SiteIndexes(dataDir, { onDamaged })
  const troubles = new Troubles({
    clock,
    onNew: logTroubles(logger),
  })
  const catchUpLater = (siteId: string) => {
    // The next read that needs the index reports the failure.
    for (const site of catalog.sites.findByIdPrefix(siteId)) services.indexFollower.catchUp(site).catch(() => undefined)
  }
  const indexer = new Indexer({ dataDir, troubles, onDamaged })
  const texts = new TextIndexer({ dataDir, maxCharacters: config.maxSearchedCharacters })
  const longTasks: Tasks = new TaskPool({
    entry: ENTRIES.taskWorker,
    processes: 2,
    deadlineMs: MAX_LONG_TASK_MS,
    gate: admission.gate('long-tasks'),
  })
  const tasks: Tasks = new TaskPool({
    entry: ENTRIES.taskWorker,
    processes: config.sizes.taskProcesses,
    gate: admission.gate('tasks'),
  })
  const sortJson = (workspaceId: string, value: unknown) => sortedJson(tasks, workspaceId, value)
  writePushLimits(dataDir, limits, node && `${address.baseUrl}/git`)
  const hostedReader = new HostedReader({
    dataDir,
    hasIndex: true,
    sites: catalog.sites,
    troubles,
    onBehind: catchUpLater,
  })
  const store = new Store({
    dataDir,
    limits,
    admission,
    troubles,
    database: node?.database,
    otherReaders: hostedReader,
    rooms: {
      roomFor: (site, write) => usage.roomFor(site, write),
      noteWritten: (site, write, written) => usage.noteWritten(site, write, written),
    },
    prepareRevert: ({ id, slug }, aim) => {
      const [found] = catalog.sites.findByIdPrefix(id)
      return tasks.run('prepareRevert', { dataDir, site: { id, slug }, aim }, found ?? { workspaceId: id })
    },
  })
  node?.startLook(store, (error) => logger.error({ err: error }, 'this node cannot follow the others'))
  const replica = node ?? ONLY_REPLICA
  const leases = node?.leases ?? new OwnLeases()
  const uploads = new Uploads(dataDir, limits)
  const indexFollower = new SiteIndexFollower({
    indexes,
    indexer,
    texts,
    store,
    dataDir,
    maxWaitMs: parts.maxIndexWaitMs,
  })
  const usage = new WorkspaceUsage({ catalog, limits, sizes: new SiteSizes({ store, indexFollower }) })
  const privateRemotes = new PrivateRemotes(config.privateRemotes)
  const provisioner = new Provisioner({ catalog, store, clock, newId, limits })
  const imports = new Imports({
    catalog,
    store,
    clock,
    newId,
    limits,
    gate: admission.gate('imports'),
    provisioner,
    leases,
    replica,
    privateRemotes,
    checkRoom: (bytes) => uploads.checkRoom(bytes),
    refuseBeyond: (workspaceId, gitdir) => refuseImportBeyond({ usage, longTasks }, workspaceId, gitdir),
    onEvent: (what, { id, workspaceId, slug, url }, error) =>
      logger.info(
        { import: id, workspace: workspaceId, site: slug, url, ...(error !== undefined && { err: error }) },
        what,
      ),
  })
  const mirrors = new MirrorSync({
    catalog,
    store,
    clock,
    privateRemotes,
    secrets,
    onEvent: (what, { id, workspaceId, slug }, { url }, error) =>
      logger.info(
        { workspace: workspaceId, siteId: id, site: slug, url, ...(error !== undefined && { err: error }) },
        what,
      ),
    onError: (error) => logger.error({ err: error }, 'mirror: the mirrors cannot be looked at'),
  })
  const services: Services = {
    admission,
    replica,
    imports,
    mirrors,
    store,
    indexFollower,
    usage,
    catalog,
    tasks,
    longTasks,
    deploys: new DeployFolders(dataDir, clock, mark),
    previews: new Previews(
      { previewSeconds: PREVIEW_SECONDS, previewBytes: admission.memory.of('previews').bytes },
      clock,
      mark,
    ),
    pushLine: new PushLine((site) => store.refMover.holdStill(site)),
    uploads,
    forms: new LRUCache({ maxSize: KEPT_FORMS_CHARACTERS, sizeCalculation: ({ length }) => length + 100 }),
    idempotency: new IdempotencyGuard({ catalog, clock, sortJson, leases }),
    provisioner,
    introspection:
      config.introspection &&
      new Introspection({
        gate: admission.gate('introspection'),
        settings: { ...config.introspection, audience: config.introspection.audience ?? address.baseUrl },
        catalog,
        clock,
        onRefused: (reason) => logger.info({ reason }, 'a token of the identity provider is refused'),
      }),
    clock,
    newId,
    limits,
    allowedOrigins: config.allowedOrigins,
    ...address,
  }
  return {
    services,
    node,
    alone: node === undefined ? (work) => work() : (work) => node.alone(work),
    indexes,
    troubles,
    hostedReader,
    catchUpLater,
    async close() {
      await node?.endCare()
      await imports.close()
      await uploads.close()
      await mirrors.close()
      await store.close()
      await hostedReader.close()
      await indexer.close()
      await texts.close()
      await tasks.close()
      await longTasks.close()
      indexes.close()
      await catalog.close()
      await node?.close()
      release()
    },
  }
}

/** Opens the catalog of this machine, or of the shared database. The code of nodes is loaded only in the second case. */
async function openOwner(
  config: Config,
  { clock, logger }: ServiceParts,
): Promise<{ catalog: Catalog; node?: OpenNode }> {
  const { dataDir, databaseUrl, isFenced, nodeNumber, serveStaleSeconds } = config
  refuseOtherData(config)
  if (databaseUrl === undefined) return { catalog: await openCatalog(dataDir, { clock }) }
  const { openNode } = await import('../nodes/opening/open-node.js')
  const node = await openNode(databaseUrl, dataDir, {
    isFenced,
    number: nodeNumber,
    version: packageVersion(),
    serveStaleSeconds,
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
  return { catalog: node.catalog, node }
}
