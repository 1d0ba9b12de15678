// The service without HTTP: real store, index and catalog in a temporary folder, a clock that stands still.

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Admission } from '../../src/admission/admission.js'
import { DEFAULT_SIZES } from '../../src/admission/row.js'
import { openCatalog } from '../../src/catalog/catalog.js'
import { type SiteIndex, SiteIndexes } from '../../src/index/site-index.js'
import type { Site } from '../../src/catalog/site.js'
import type { Limits } from '../../src/model/limits.js'
import { ServiceError } from '../../src/model/errors.js'
import { ONLY_REPLICA } from '../../src/repository/protocol/replica.js'
import { Store } from '../../src/repository/store.js'
import { MirrorSync } from '../../src/repository/mirrors/mirror-sync.js'
import { PrivateRemotes } from '../../src/git/remotes/remote-address.js'
import { Imports } from '../../src/usecases/provisioning/imports.js'
import { SiteSizes } from '../../src/usecases/quotas/site-sizes.js'
import { WorkspaceUsage } from '../../src/usecases/quotas/workspace-usage.js'
import { Provisioner } from '../../src/usecases/provisioning/provisioner.js'
import { IdempotencyGuard, sortedJson } from '../../src/usecases/context/idempotency.js'
import { Indexer } from '../../src/indexing/indexer.js'
import { TextIndexer } from '../../src/indexing/text/text-indexer.js'
import { SiteIndexFollower } from '../../src/indexing/site-index-follower.js'
import { PushLine } from '../../src/repository/pushing/push-line.js'
import { DeployFolders } from '../../src/repository/uploads/deploy-folders.js'
import { Uploads } from '../../src/repository/uploads/uploads.js'
import { Previews } from '../../src/repository/reading/previews.js'
import { TaskPool } from '../../src/tasks/task-pool.js'
import type { Tasks } from '../../src/tasks/tasks.js'
import { ENTRIES } from '../../src/threads/entries.js'
import { OwnLeases } from '../../src/threads/leases.js'
import type { Services } from '../../src/usecases/context/services.js'
import { authenticate } from '../../src/usecases/access/authenticate.js'
import type { Call } from '../../src/usecases/context/call.js'
import { resolveTarget, type TargetIds } from '../../src/usecases/context/target.js'
import { git } from '../support/git.js'
import { PATIENCE_MS, until } from '../support/within.js'
import { type KeyWishes, mintTestKey } from '../support/mint-key.js'

const MEBIBYTE = 1024 * 1024

const LIMITS: Limits = {
  maxHtmlBytes: MEBIBYTE,
  maxFileBytes: 64 * MEBIBYTE,
  maxDeployBytes: 2048 * MEBIBYTE,
  maxPushBytes: 1024 * MEBIBYTE,
  cacheBytes: 64 * MEBIBYTE,
  pictureCacheBytes: 0,
  diskReserveBytes: 0,
  minBytesPerSecond: 0,
  sessionDays: 30,
  auditDays: 400,
  writerThreads: 1,
}
const MAX_SEARCHED_CHARACTERS = 64 * MEBIBYTE

export interface ContextWishes extends TargetIds {
  /** A key's text; the admin key of the first workspace unless given. */
  key?: string
  route?: string
  idempotencyKey?: string
}

export interface ServiceParts {
  services: Services
  indexes: SiteIndexes
  /** The index of the default site. */
  index: SiteIndex
  indexer: Indexer
  dataDir: string
  /** The default site, `demo`. */
  site: Site
  workspaceId: string
  gitdir(site?: Site): string
  /** Moves the clock on, seconds. */
  pass(seconds: number): void
  mint(wishes?: KeyWishes): Promise<string>
  /** Waits until the service sees the same main as git: for pushes by path. */
  untilSeen(of?: Site): Promise<void>
  context(wishes?: ContextWishes): Call
  /** Returns the same with all parts of the service. */
  call(wishes?: ContextWishes): Call<keyof Services>
  /** Returns the same parts for a new workspace, with its own default site and the clock reset, but no threads of its own. */
  inNewWorkspace(): Promise<ServiceParts>
  stop(): Promise<void>
}

export const START = Date.parse('2026-11-21T10:00:00Z')

export async function openServiceParts(): Promise<ServiceParts> {
  const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-usecases-'))
  let now = START
  const clock = () => new Date(now)
  const admission = new Admission(DEFAULT_SIZES)
  const store = new Store({ dataDir, limits: LIMITS, admission })
  const indexes = new SiteIndexes(dataDir)
  const indexer = new Indexer({ dataDir, troubles: store.troubles })
  const texts = new TextIndexer({ dataDir, maxCharacters: MAX_SEARCHED_CHARACTERS })
  const catalog = await openCatalog(dataDir, { clock })
  const tasks: Tasks = new TaskPool({ entry: ENTRIES.taskWorker, processes: 2, deadlineMs: 60_000 })
  const indexFollower = new SiteIndexFollower({ indexes, indexer, texts, store, dataDir, maxWaitMs: PATIENCE_MS })
  const leases = new OwnLeases()
  const services: Services = {
    admission,
    replica: ONLY_REPLICA,
    store,
    indexFollower,
    catalog,
    providers: [],
    tasks,
    longTasks: new TaskPool({ entry: ENTRIES.taskWorker, processes: 2, deadlineMs: 60_000 }),
    deploys: new DeployFolders(dataDir, clock, admission.gate('deploys')),
    previews: new Previews({ previewSeconds: 60, previewBytes: MEBIBYTE }, clock),
    pushLine: new PushLine(store.refMover),
    uploads: new Uploads(dataDir, LIMITS),
    forms: new LRUCache({ max: 10 }),
    idempotency: new IdempotencyGuard({
      catalog,
      clock,
      leases,
      sortJson: (id, value) => sortedJson(tasks, id, value),
    }),
    usage: new WorkspaceUsage({ catalog, limits: LIMITS, sizes: new SiteSizes({ store, indexFollower }) }),
    provisioner: new Provisioner({ catalog, store, clock, newId: randomUUID, limits: LIMITS }),
    imports: new Imports({
      gate: admission.gate('imports'),
      provisioner: new Provisioner({ catalog, store, clock, newId: randomUUID, limits: LIMITS }),
      catalog,
      store,
      clock,
      leases,
      replica: ONLY_REPLICA,
      newId: randomUUID,
      limits: LIMITS,
      privateRemotes: new PrivateRemotes([]),
      checkSpace: () => undefined,
      refuseBeyond: () => Promise.resolve(),
      onEvent: () => undefined,
    }),
    privateRemotes: new PrivateRemotes([]),
    mirrors: new MirrorSync({
      catalog,
      store,
      clock,
      privateRemotes: new PrivateRemotes([]),
      secrets: undefined,
      admission,
      onEvent: () => undefined,
      onError: () => undefined,
    }),
    clock,
    newId: randomUUID,
    baseUrl: 'http://localhost:8080',
    siteDomain: 'localhost:8080',
    allowedOrigins: [],
    limits: LIMITS,
  }
  store.live.onLive((live) => services.usage.onLive(live))
  store.live.onLive((live) => indexFollower.onLive(live))
  store.live.onLive(({ site }) => services.mirrors.look(site.id))
  const inWorkspace = async (name: string, slug: string): Promise<ServiceParts> => {
    const { workspace, site } = await services.provisioner.createWorkspace(name, slug)
    const mint = async (wishes: KeyWishes = {}) =>
      (await mintTestKey(services, { label: 'Ada', scopes: ['admin'], workspaceId: workspace.id, ...wishes })).key
    const admin = await mint()
    const context = ({ key = admin, route = 'POST /pages', idempotencyKey, ...ids }: ContextWishes = {}): Call => {
      const principal = authenticate(services, key)
      const target = resolveTarget(services, principal, ids, 'read')
      const hold = () => Promise.resolve()
      const asked: Call = { principal, target, requestId: randomUUID(), route, hold }
      return idempotencyKey === undefined ? asked : { ...asked, idempotencyKey }
    }
    return {
      services,
      indexes,
      index: indexes.of(site.id),
      indexer,
      dataDir,
      site,
      workspaceId: workspace.id,
      gitdir: (of = site) => services.store.repositories.gitdir(of),
      pass: (seconds) => void (now += seconds * 1000),
      mint,
      async untilSeen(of = site) {
        const main = git(services.store.repositories.gitdir(of), 'rev-parse', 'main')
        await until(
          () => services.store.reader.snapshot(of).commit,
          (commit) => commit === main,
        )
      },
      context,
      call: (wishes) => ({ ...services, ...context(wishes) }),
      async inNewWorkspace() {
        now = START
        return await inWorkspace('Another', `site-${randomUUID().slice(0, 8)}`)
      },
      async stop() {
        await services.store.close()
        await indexer.close()
        await texts.close()
        await services.tasks.close()
        await services.longTasks.close()
        indexes.close()
        await services.catalog.close()
        rmSync(dataDir, { recursive: true, force: true })
      },
    }
  }
  return await inWorkspace('First', 'demo')
}

/** Returns a check for `assert.rejects` and `assert.throws`. */
export function refusal(code: string): (error: unknown) => boolean {
  return (error) => {
    if (error instanceof ServiceError && error.code === code) return true
    throw error
  }
}
