// What commands other than serve work with: the same catalog and store, beside a running service or without one.
// They take the catalog's and the refs' own locks, never the data directory.

import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { type Catalog, openCatalog } from '../../catalog/catalog.js'
import type { Site } from '../../catalog/sites.js'
import type { Workspace } from '../../catalog/workspaces.js'
import { type Config, loadConfig } from '../../config/config.js'
import type { Clock, MakeId } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { Store } from '../../store/store.js'
import { IdempotencyGuard } from '../../usecases/context/idempotency.js'
import { Provisioner } from '../../usecases/sites/provisioner.js'

export interface Offline {
  config: Config
  catalog: Catalog
  store: Store
  clock: Clock
  newId: MakeId
  provisioner: Provisioner
  idempotency: IdempotencyGuard
}

/** Opens what is needed, runs `work` and closes all again, whatever happens. */
export async function withOffline<T>(work: (parts: Offline) => Promise<T>): Promise<T> {
  const config = loadConfig(process.env)
  mkdirSync(config.dataDir, { recursive: true })
  const clock = () => new Date()
  const catalog = await openCatalog(config.dataDir, { clock })
  const store = new Store({ dataDir: config.dataDir, limits: config.limits })
  try {
    const parts = { catalog, store, clock, newId: randomUUID }
    const provisioner = new Provisioner(parts)
    return await work({ config, ...parts, provisioner, idempotency: new IdempotencyGuard(parts) })
  } finally {
    await store.close()
    catalog.close()
  }
}

/** The workspace with that id or name; without either, the only one, or the first made. */
export async function findWorkspace(catalog: Catalog, idOrName?: string): Promise<Workspace> {
  const all = await catalog.workspaces.list()
  const matching =
    idOrName === undefined ? all.slice(0, 1) : all.filter(({ id, name }) => id === idOrName || name === idOrName)
  const [workspace, second] = matching
  if (workspace === undefined) {
    const hint =
      idOrName === undefined ? 'Start the service once, or run "workspaces create".' : 'See "workspaces list".'
    throw new ServiceError('workspace_not_found', `There is no such workspace. ${hint}`)
  }
  if (second !== undefined) {
    throw new ServiceError('conflict', `Several workspaces are named "${idOrName}": give the id.`)
  }
  return workspace
}

/** The live sites named by slug or id, or all of them when none is named. */
export async function findSites(catalog: Catalog, names: readonly string[]): Promise<Site[]> {
  const live = await catalog.sites.listLive()
  if (names.length === 0) return live
  return names.map((name) => {
    const site = live.find(({ id, slug }) => id === name || slug === name)
    if (site === undefined) throw new ServiceError('site_not_found', `There is no site "${name}". See "sites list".`)
    return site
  })
}
