// Services for tests: one that the files of a process share, each in a workspace of its own, and services with a data directory of their own.

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import supertest from 'supertest'
import type { Site } from '../../src/catalog/site.js'
import { type Config, loadConfig } from '../../src/processes/config/config.js'
import { type RunningApi, startApi } from '../../src/processes/roles/api.js'
import { publishWelcome } from '../../src/usecases/provisioning/first-site.js'
import { assertDocumented } from './contract.js'
import { judgeDataDir, judgeScenario } from './second-judge.js'
import { type KeyWishes, mintTestKey } from './mint-key.js'
import { PATIENCE_MS } from './within.js'

export interface TestService {
  server: RunningApi
  dataDir: string
  /** `http://127.0.0.1:<port>`, for raw requests. */
  origin: string
  workspaceId: string
  /** The default site: `demo` of a service of one's own. */
  site: Site
  /** A key with the scopes `read` and `write`. */
  key: string
  gitdir(slug?: string): string
  mint(wishes?: KeyWishes): Promise<{ key: string; id: string }>
  /** supertest on the API, with the key unless another (or none: '') is given; every answer is held against OpenAPI. */
  api(key?: string): ApiClient
  /** Returns the same service for a new workspace, with an empty default site and its own key. */
  inNewWorkspace(slug?: string): Promise<TestService>
  /** supertest on a hosted site. */
  visit(path: string, slug?: string): supertest.Test
  /** Stops a service of one's own; a shared one goes on, and the workspace's repositories are judged. */
  stop(): Promise<void>
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options'
export type ApiClient = Record<Method, (path: string) => supertest.Test>

export interface TestServiceOptions {
  dataDir?: string
  /** Keeps the data directory when the service stops. */
  keep?: boolean
  env?: Record<string, string>
  clock?: () => Date
  /** Changes limits that have no setting. */
  change?: (config: Config) => Config
}

/** An identity provider that the shared service knows and never asks. */
const PROVIDER = { id: 'example', issuer: 'https://login.example', clientId: 'palimpsest' }

/** Started by the first file that asks; it ends with the process. */
let shared: Promise<TestService> | undefined

/** The service of this process as a new workspace sees it, whose site has a welcome page; `slug` names it. Paths given to `api` are below `/api/v1`. */
export async function startTestService(slug?: string): Promise<TestService> {
  shared ??= startOwnService({ env: { SIGN_IN_PROVIDERS: JSON.stringify([PROVIDER]) } }).then((service) => {
    // Threads of the service may still write there.
    process.once('exit', () => rmSync(service.dataDir, { recursive: true, force: true, maxRetries: 10 }))
    return service
  })
  const service = await (await shared).inNewWorkspace(slug)
  await publishWelcome(service.server.service.services, service.site)
  return service
}

/** A service on its own port, for tests that a shared one cannot do: another start, setting or clock, the whole data directory. */
export async function startOwnService(options: TestServiceOptions = {}): Promise<TestService> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'palimpsest-test-'))
  const { change = (config) => config } = options
  const config = change(
    loadConfig({
      PORT: '0',
      DATA_DIR: dataDir,
      DISK_RESERVE_BYTES: '0',
      WRITER_THREADS: '1',
      ...options.env,
    }),
  )
  const clock = options.clock ?? (() => new Date())
  const server = await startApi(config, {
    logger: pino({ level: 'silent' }),
    clock,
    newId: randomUUID,
    maxIndexWaitMs: PATIENCE_MS,
  })
  const { catalog } = server.service.services
  const [workspace] = await catalog.workspaces.list()
  if (workspace?.defaultSiteId == null) throw new Error('the service made no default site')
  const site = catalog.sites.find(workspace.id, workspace.defaultSiteId)
  if (site === undefined) throw new Error('the default site is not there')

  return await inWorkspace(server, dataDir, site, async () => {
    await server.stop()
    await judgeDataDir(dataDir)
    if (options.keep !== true) rmSync(dataDir, { recursive: true, force: true })
  })
}

/** The service as the workspace of this site sees it. */
async function inWorkspace(
  server: RunningApi,
  dataDir: string,
  site: Site,
  stop: () => Promise<void>,
): Promise<TestService> {
  const { workspaceId } = site
  const { catalog, provisioner } = server.service.services
  const mint = (wishes?: KeyWishes) => mintTestKey(server.service.services, { workspaceId, ...wishes })
  const { key } = await mint()
  const origin = `http://127.0.0.1:${server.port}`
  const request = (method: Method, path: string, bearer: string) => {
    const test = supertest(origin)[method](`/api/v1${path}`)
    test.expect((answer: supertest.Response) => assertDocumented(method, path, answer))
    return bearer === '' ? test : test.set('Authorization', `Bearer ${bearer}`)
  }
  return {
    server,
    dataDir,
    origin,
    workspaceId,
    site,
    key,
    gitdir: (slug = site.slug) => join(dataDir, `${slug}.git`),
    mint,
    api: (bearer = key) => ({
      get: (path) => request('get', path, bearer),
      post: (path) => request('post', path, bearer),
      put: (path) => request('put', path, bearer),
      patch: (path) => request('patch', path, bearer),
      delete: (path) => request('delete', path, bearer),
      head: (path) => request('head', path, bearer),
      options: (path) => request('options', path, bearer),
    }),
    async inNewWorkspace(slug = `site-${randomUUID().slice(0, 8)}`) {
      const { site: first } = await provisioner.createWorkspace('Another', slug)
      return await inWorkspace(server, dataDir, first, async () => {
        const sites = (await catalog.sites.listLive()).filter((other) => other.workspaceId === first.workspaceId)
        await judgeScenario(sites.map((one) => join(dataDir, `${one.slug}.git`)))
      })
    },
    visit: (path, slug = site.slug) => supertest(origin).get(path).set('Host', `${slug}.localhost:${server.port}`),
    stop,
  }
}
