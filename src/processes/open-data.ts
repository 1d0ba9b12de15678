// Opens the data directory: the catalog, the repositories and the index of each site, with the threads and processes that work on them.

import type { Logger } from 'pino'
import type { Admission } from '../admission/admission.js'
import { holdDataDir } from '../catalog/sqlite/data-dir-lock.js'
import { SiteIndexes } from '../index/site-index.js'
import { Indexer } from '../indexing/indexer.js'
import { SiteIndexFollower } from '../indexing/site-index-follower.js'
import { TextIndexer } from '../indexing/text/text-indexer.js'
import type { Clock } from '../model/clock.js'
import { HostedReader } from '../protocols/host/reading/hosted-reader.js'
import { Troubles } from '../repository/health/troubles.js'
import { LiveCommits } from '../repository/protocol/live-commits.js'
import { Store } from '../repository/store.js'
import { TaskPool } from '../tasks/task-pool.js'
import type { Tasks } from '../tasks/tasks.js'
import { ENTRIES } from '../threads/entries.js'
import { SiteSizes } from '../usecases/quotas/site-sizes.js'
import { WorkspaceUsage } from '../usecases/quotas/workspace-usage.js'
import type { Config } from './config/config.js'
import { prepareDataDir, removeFormerIndex } from './data-dir.js'
import { logTroubles } from './log-troubles.js'
import { type Machine, openMachine } from './machine.js'

/** Long enough for a deploy of 2 GiB, which copies and reads that much. */
const MAX_LONG_TASK_MS = 60_000

export interface DataParts {
  logger: Logger
  clock: Clock
  admission: Admission
  /** Longest time that a read waits for the index; tests on a busy machine wait longer. */
  maxIndexWaitMs?: number | undefined
}

export interface OpenData {
  machine: Machine
  indexes: SiteIndexes
  troubles: Troubles
  store: Store
  /** Reads for visitors. */
  hostedReader: HostedReader
  indexFollower: SiteIndexFollower
  usage: WorkspaceUsage
  tasks: Tasks
  longTasks: Tasks
  /** Lets the index follow the site, without waiting for it. */
  catchUpLater: (siteId: string) => void
  /** Waits for queued writes, then closes every file, thread and process. */
  close: () => Promise<void>
}

/** Throws DataDirInUse if another process serves the folder, and CatalogUnusable if the catalog is lost or damaged. */
export async function openData(config: Config, parts: DataParts): Promise<OpenData> {
  const { limits, dataDir } = config
  const { logger, admission, maxIndexWaitMs } = parts
  prepareDataDir(config, logger)
  const release = holdDataDir(dataDir, 'writer')
  const machine = await openMachine(config, parts).catch((error: unknown) => {
    release()
    throw error
  })
  removeFormerIndex(dataDir)
  const { catalog, clock, database } = machine
  const { sites } = catalog
  const troubles = new Troubles({ clock, onNew: logTroubles(logger) })
  const { tasks, longTasks } = openTasks(config, admission)
  const catchUpLater = (siteId: string) => {
    // The next read that needs the index reports the failure.
    for (const site of sites.findByIdPrefix(siteId)) indexFollower.catchUp(site).catch(() => undefined)
  }
  const hostedReader = new HostedReader({ dataDir, hasIndex: true, sites, troubles, onBehind: catchUpLater })
  const store = new Store({
    dataDir,
    limits,
    admission,
    troubles,
    database,
    otherReaders: hostedReader,
    live: new LiveCommits((error) => logger.error({ err: error }, 'a listener failed at a commit that became live')),
    quotaUse: (site, write) => usage.quotaUseFor(site, write),
    onRequestWrite: (site, write) => usage.onRequestWrite(site, write),
    prepareRevert: ({ id, slug, request }, aim) => {
      const [found] = sites.findByIdPrefix(id)
      return tasks.run('prepareRevert', { dataDir, site: { id, slug, request }, aim }, found ?? { workspaceId: id })
    },
  })
  // Rows that are not seeded are read from git; those that cannot be removed appear in no answer.
  machine.follow(store, {
    onBegun: (request) => void indexFollower.seed(request).catch(() => undefined),
    onEnded: (site) => void indexFollower.forget(site).catch(() => undefined),
  })
  const onDamaged = (file: string, reason: unknown) =>
    logger.error(
      { err: reason, file },
      'the index of a site was damaged: it is removed, and built anew from the repository',
    )
  const indexes = new SiteIndexes(dataDir, { onDamaged })
  const indexer = new Indexer({ dataDir, troubles, onDamaged })
  const texts = new TextIndexer({ dataDir, maxCharacters: config.maxSearchedCharacters })
  const indexFollower = new SiteIndexFollower({ indexes, indexer, texts, store, dataDir, maxWaitMs: maxIndexWaitMs })
  const usage = new WorkspaceUsage({ catalog, limits, sizes: new SiteSizes({ store, indexFollower }) })
  return {
    machine,
    indexes,
    troubles,
    store,
    hostedReader,
    indexFollower,
    usage,
    tasks,
    longTasks,
    catchUpLater,
    async close() {
      await store.close()
      await hostedReader.close()
      await indexer.close()
      await texts.close()
      await tasks.close()
      await longTasks.close()
      indexes.close()
      await catalog.close()
      await machine.close()
      release()
    },
  }
}

/** Makes the pools. Their processes start with the first task. */
function openTasks({ sizes }: Config, admission: Admission): { tasks: Tasks; longTasks: Tasks } {
  const entry = ENTRIES.taskWorker
  return {
    tasks: new TaskPool({ entry, processes: sizes.taskProcesses, gate: admission.gate('tasks') }),
    longTasks: new TaskPool({ entry, processes: 2, deadlineMs: MAX_LONG_TASK_MS, gate: admission.gate('long-tasks') }),
  }
}
