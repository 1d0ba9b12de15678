// A worker process: accepts connections, serves hosted sites from the repositories, and forwards every other request to the
// primary process. It writes nothing, looks at the catalog and a site's ref for each answer, and ends with the primary.

import type { Server as HttpServer } from 'node:http'
import { openCatalog, openCatalogCopy } from '../catalog/catalog.js'
import { SiteIndexes } from '../catalog/index/site-index.js'
import { cacheBytesOf } from '../config/cache-bytes.js'
import { starterPathOfWorker } from '../config/sockets.js'
import { startProgramsBy } from '../git/start-program.js'
import { createDoor } from '../host/door.js'
import { Pace } from '../host/pace.js'
import { Sitemaps } from '../host/sitemap/sitemaps.js'
import { MAX_WAITING_CONNECTIONS } from '../http/server/bound-port.js'
import { closeHttpServer, createHttpServer } from '../http/server/http-server.js'
import { RequestTurns } from '../http/server/request-turns.js'
import { trustIn } from '../http/trusted-proxies.js'
import { ProgramStarter } from '../programs/program-starter.js'
import { readMarkdown } from '../tasks/read-markdown.js'
import { TaskPool } from '../tasks/task-pool.js'
import type { Tasks } from '../tasks/tasks.js'
import { ENTRIES } from '../threads/entries.js'
import { openServiceLog } from '../threads/service-log.js'
import { DiskRepositories } from '../store/disk/disk-repositories.js'
import { ObjectLoader } from '../store/reading/object-loader.js'
import { SiteReader } from '../store/reading/site-reader.js'
import { forwardTo } from './forward-to-primary.js'
import type { FromWorker, ToWorker } from './messages.js'
import { SharedLooks } from './shared-looks.js'

/** Behind standard input, output, error and the channel to the primary: see WorkerProcess. */
const PORT_FD = 4

let server: HttpServer | undefined
let looks: SharedLooks | undefined

// Terminals and supervisors signal all processes at once; the primary decides when a worker stops.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined)
process.once('disconnect', () => process.exit(1))
process.on('message', (message: ToWorker) => {
  switch (message.type) {
    case 'start':
      return void start(message).catch(fail)
    case 'listen':
      return void server
        ?.once('error', fail)
        .listen({ fd: PORT_FD }, MAX_WAITING_CONNECTIONS, () => say({ type: 'listening' }))
    case 'looked':
      return looks?.hear(message.round, message.looked)
    case 'stop':
      return void (server === undefined ? process.exit(0) : closeHttpServer(server).then(() => process.exit(0)))
  }
})

async function start({ number, config, address, socketPath }: Extract<ToWorker, { type: 'start' }>): Promise<void> {
  const { dataDir, logLevel } = config
  const logger = openServiceLog(logLevel, { worker: process.pid })
  // git inflates large files: to start it here would hold up all visitors for some 10 ms. That process ends with this one.
  startProgramsBy(new ProgramStarter(starterPathOfWorker(dataDir, number)).start)
  const pace = new Pace()
  const loader = new ObjectLoader(dataDir)
  // The primary collects the problems of all sites.
  const reader = new SiteReader({
    repositories: new DiskRepositories(dataDir, pace),
    loadObject: (site, oid) => loader.load(site, oid),
    troubles: { report: (site, trouble) => say({ type: 'trouble', site, trouble }) },
  })
  const shared = config.databaseUrl === undefined ? undefined : new SharedLooks(say, reader.refused)
  looks = shared
  const clock = () => shared?.now() ?? new Date()
  const catalog = await (shared === undefined ? openCatalog(dataDir) : openCatalogCopy(dataDir, clock))
  const repositories = new DiskRepositories(dataDir)
  // Started with the first task, and ended after a minute without one.
  const tasks: Tasks = new TaskPool({ entry: ENTRIES.taskWorker, processes: config.limits.taskProcesses })
  const forward = forwardTo(socketPath)
  const door = createDoor({
    address,
    baseHosts: config.baseHosts,
    trustedProxies: config.trustedProxies,
    streams: config.streams,
    sites: catalog.sites,
    links: catalog.links,
    withdrawals: catalog.withdrawals,
    indexes: new SiteIndexes(dataDir),
    onBehind: (siteId) => say({ type: 'behind', siteId }),
    store: reader,
    sitemaps: new Sitemaps(dataDir),
    cacheBytes: cacheBytesOf(config),
    clock,
    logger,
    ...(shared && { untilCurrent: () => shared.untilCurrent(), mayBeOld: () => shared.mayBeOld() }),
    base: forward,
    // The primary has the index, and counts the searches of all workers.
    search: async (request, response) => forward(request, response),
    readMarkdown: ({ site, snapshot }, blob) => readMarkdown(tasks, repositories, site, snapshot.commit, blob),
  })
  const turns = new RequestTurns(trustIn(config.trustedProxies))
  server = createHttpServer(config.http, config.trustedProxies, (request, response) =>
    turns.begin(request, () => response.destroyed || door(request, response)),
  )
  say({ type: 'ready' })
}

function say(message: FromWorker): void {
  process.send?.(message)
}

function fail({ message, syscall }: NodeJS.ErrnoException): void {
  process.send?.({ type: 'failed', message, syscall } satisfies FromWorker, () => process.exit(1))
}
