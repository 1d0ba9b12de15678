// A service on a port of its own, with a temporary data directory that is removed with it.

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import supertest from 'supertest'
import type { Site } from '../../src/catalog/sites.js'
import { loadConfig } from '../../src/config/config.js'
import { type RunningServer, startServer } from '../../src/app/server.js'
import { assertDocumented } from './contract.js'
import { judgeScenario } from './second-judge.js'
import { type KeyWishes, mintTestKey } from './mint-key.js'

export interface TestService {
  server: RunningServer
  dataDir: string
  /** `http://127.0.0.1:<port>`, for raw requests. */
  origin: string
  workspaceId: string
  /** The default site, `demo`. */
  site: Site
  /** A key with the scopes `read` and `write`. */
  key: string
  gitdir(slug?: string): string
  mint(wishes?: KeyWishes): Promise<{ key: string; id: string }>
  /** supertest on the API, with the key unless another (or none: '') is given; every answer is held against OpenAPI. */
  api(key?: string): ApiClient
  /** The same service as a new workspace sees it, with a default site and a key of its own: a tenth of the cost of a start. */
  inNewWorkspace(): Promise<TestService>
  /** supertest on a hosted site. */
  visit(path: string, slug?: string): supertest.Test
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
}

/** Starts on port 0; paths given to `api` are below `/api/v1`. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'palimpsest-test-'))
  const config = loadConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DISK_RESERVE_BYTES: '0',
    WRITER_THREADS: '1',
    WORKERS: '0',
    ...options.env,
  })
  const clock = options.clock ?? (() => new Date())
  const server = await startServer(config, { logger: pino({ level: 'silent' }), clock, newId: randomUUID })
  const { catalog } = server.service.services
  const [workspace] = await catalog.workspaces.list()
  if (workspace?.defaultSiteId == null) throw new Error('the service made no default site')
  const site = catalog.sites.find(workspace.id, workspace.defaultSiteId)
  if (site === undefined) throw new Error('the default site is not there')

  return await inWorkspace(server, dataDir, site, async () => {
    await server.stop()
    await judgeScenario(dataDir)
    if (options.keep !== true) rmSync(dataDir, { recursive: true, force: true })
  })
}

/** The service as the workspace of this site sees it. */
async function inWorkspace(
  server: RunningServer,
  dataDir: string,
  site: Site,
  stop: () => Promise<void>,
): Promise<TestService> {
  const { workspaceId } = site
  const { provisioner } = server.service.services
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
    async inNewWorkspace() {
      const { site: first } = await provisioner.createWorkspace('Another', `site-${randomUUID().slice(0, 8)}`)
      return await inWorkspace(server, dataDir, first, stop)
    },
    visit: (path, slug = site.slug) => supertest(origin).get(path).set('Host', `${slug}.localhost:${server.port}`),
    stop,
  }
}
