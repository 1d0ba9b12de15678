// The role `sites`: serves hosted pages and files from the data directory of a service, whether its role `api` is running or not. It writes
// nothing, opens no index, and informs no other process. It checks the catalog and the site's ref for each answer.

import type { Logger } from 'pino'
import { Admission } from '../../admission/admission.js'
import { refuseWithoutCatalog } from '../../catalog/catalog-file.js'
import { openCatalogToRead, type ReadCatalog } from '../../catalog/catalog.js'
import { holdDataDir } from '../../catalog/sqlite/data-dir-lock.js'
import type { Address } from '../config/address.js'
import { type Config, InvalidConfiguration } from '../config/config.js'
import { createHostRouter, type RequestHandler } from '../../protocols/host/host-router.js'
import { Misdirected, sendMisdirected } from '../../protocols/host/misdirected.js'
import { HostedReader } from '../../protocols/host/reading/hosted-reader.js'
import { findLink } from '../../usecases/access/usable-link.js'
import type { Clock } from '../../model/clock.js'
import { DiskRepositories } from '../../repository/disk/disk-repositories.js'
import { Troubles } from '../../repository/health/troubles.js'
import { SiteReader } from '../../repository/reading/site-reader.js'
import { readMarkdown } from '../../tasks/read-markdown.js'
import { TaskPool } from '../../tasks/task-pool.js'
import type { Tasks } from '../../tasks/tasks.js'
import { ENTRIES } from '../../threads/entries.js'
import { logTroubles } from '../log-troubles.js'
import { type Role, type RunningRole, servePort } from './serve-port.js'

export interface SitesParts {
  logger: Logger
  clock: Clock
}

/** Throws CatalogNotReady, CatalogUnusable and DataDirInUse. Throws InvalidConfiguration on a node. */
export async function startSites(config: Config, parts: SitesParts): Promise<RunningRole> {
  if (config.databaseUrl !== undefined)
    throw new InvalidConfiguration([
      'DATABASE_URL makes this process a node, which serves everything: leave out --role sites, and add nodes for more load',
    ])
  const { catalog, close } = openToRead(config.dataDir, parts.clock)
  try {
    const admission = new Admission(config.sizes)
    const open = (address: Address) => createSites(config, address, { ...parts, admission, catalog, close })
    return await servePort(config, admission.gate('requests'), open)
  } catch (error) {
    await close()
    throw error
  }
}

/** Refuses a folder without a catalog before it takes the lock. */
function openToRead(dataDir: string, clock: Clock): { catalog: ReadCatalog; close: () => Promise<void> } {
  refuseWithoutCatalog(dataDir)
  const release = holdDataDir(dataDir, 'reader')
  try {
    const catalog = openCatalogToRead(dataDir, clock)
    const close = async () => {
      await catalog.close()
      release()
    }
    return { catalog, close }
  } catch (error) {
    release()
    throw error
  }
}

function createSites(
  config: Config,
  address: Address,
  { logger, clock, admission, catalog, close }: SitesParts & { admission: Admission } & ReturnType<typeof openToRead>,
): Role {
  const { dataDir, limits } = config
  const repositories = new DiskRepositories(dataDir)
  const troubles = new Troubles({ clock, onNew: logTroubles(logger) })
  const heads = new SiteReader({ repositories, troubles })
  // The processes start with the first task, and end after a minute without one.
  const tasks: Tasks = new TaskPool({
    entry: ENTRIES.taskWorker,
    processes: config.sizes.taskProcesses,
    gate: admission.gate('tasks'),
  })
  const misdirect = () => {
    throw new Misdirected()
  }
  const reader = new HostedReader({ dataDir, hasIndex: false, sites: catalog.sites, troubles, onBehind: misdirect })
  const handle = createHostRouter({
    address,
    baseHosts: config.baseHosts,
    trustedProxies: config.trustedProxies,
    admission,
    sites: catalog.sites,
    links: { find: (id) => findLink({ catalog, clock }, id) },
    withdrawals: catalog.withdrawals,
    indexes: undefined,
    onBehind: misdirect,
    store: heads,
    reader,
    sitemaps: { of: misdirect },
    cacheBytes: limits.cacheBytes,
    clock,
    logger,
    base: answerBaseHost,
    search: misdirect,
    // The role `api` makes and sends them: this one writes nothing.
    ...(limits.pictureCacheBytes > 0 && {
      pictures: { readPicture: misdirect, kept: { find: misdirect, keep: misdirect } },
    }),
    readMarkdown: ({ site, commit }, blob) => readMarkdown(tasks, repositories, site, commit, blob),
  })
  return {
    handle,
    prepare: () => reader.start(),
    async close() {
      await tasks.close()
      await reader.close()
      heads.closeAll()
      await close()
    },
  }
}

/** Answers health checks of a load balancer. */
const answerBaseHost: RequestHandler = ({ url = '', method }, response) => {
  if (!/^\/healthz(?:\?|$)/.test(url) || (method !== 'GET' && method !== 'HEAD')) return sendMisdirected(response)
  const body = JSON.stringify({ status: 'ok' })
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
  })
  response.end(body)
}
