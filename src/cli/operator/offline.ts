// Opens the catalog and the store for the operator's commands other than `serve`, whether a service runs or not. They take the locks of the
// catalog and of refs, never the lock of the data directory.

import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import type { OpenedBeside } from '../../nodes/opening/open-catalog-beside-node.js'
import { Admission } from '../../admission/admission.js'
import { restrictNewFiles } from '../../processes/data-dir.js'
import { runningAddressIn } from '../../processes/running-address.js'
import { openServices } from '../../processes/open-services.js'
import { type Catalog, openCatalog } from '../../catalog/catalog.js'
import type { Site } from '../../catalog/site.js'
import type { Workspace } from '../../catalog/workspaces.js'
import type { Address } from '../../processes/config/address.js'
import { addressFor, type Config, loadConfig } from '../../processes/config/config.js'
import type { Clock, MakeId } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { canonicalJson } from '../../repository/format/canonical-json.js'
import { ownKeyIn, signWithOwnKey } from '../../repository/disk/signing-key.js'
import { Store } from '../../repository/store.js'
import { OwnLeases } from '../../threads/leases.js'
import { IdempotencyGuard } from '../../usecases/context/idempotency.js'
import type { SliceInput } from '../../usecases/context/input.js'
import type { Result } from '../../usecases/context/result.js'
import type { Services } from '../../usecases/context/services.js'
import { assertOwnUser, assertServiceData } from './own-data-dir.js'
import { Provisioner } from '../../usecases/provisioning/provisioner.js'

export interface Offline extends Address {
  config: Config
  catalog: Catalog
  store: Store
  clock: Clock
  newId: MakeId
  provisioner: Provisioner
  idempotency: IdempotencyGuard
  /** Removes the log that nodes share of a deleted site. Does nothing on a machine on its own. */
  forgetLog: (site: string) => Promise<void>
}

/** Opens the catalog and the store, runs `work`, and closes both in any case. Throws WrongDataDir. */
export async function withOffline<T>(work: (services: Offline) => Promise<T>): Promise<T> {
  const config = loadConfig(process.env)
  const { dataDir, limits, databaseUrl, isFenced } = config
  const database = databaseUrl === undefined ? undefined : { url: databaseUrl, isFenced }
  if (database === undefined) assertServiceData(dataDir)
  else assertOwnUser(dataDir)
  restrictNewFiles(config)
  const clock = () => new Date()
  const { catalog, forgetLog, close } =
    database === undefined
      ? await openOwnCatalog(dataDir, clock)
      : await (await import('../../nodes/opening/open-catalog-beside-node.js')).openCatalogBesideNode(database, clock)
  // A key that was made here only now would be known to no node.
  if (ownKeyIn(dataDir) !== undefined)
    catalog.audit.retain({ days: limits.auditDays, sign: (text) => signWithOwnKey(dataDir, text) })
  const store = new Store({ dataDir, limits, database })
  try {
    const parts = { catalog, store, clock, newId: randomUUID }
    const provisioner = new Provisioner({ ...parts, limits })
    const idempotency = new IdempotencyGuard({
      ...parts,
      leases: new OwnLeases(),
      sortJson: (_workspaceId, value) => canonicalJson(value),
    })
    const address = runningAddressIn(dataDir) ?? addressFor(config, config.port)
    return await work({ config, ...address, ...parts, provisioner, idempotency, forgetLog })
  } finally {
    await store.close()
    await close()
  }
}

async function openOwnCatalog(dataDir: string, clock: Clock): Promise<OpenedBeside> {
  const catalog = await openCatalog(dataDir, { clock })
  return { catalog, forgetLog: async () => undefined, close: () => catalog.close() }
}

/**
 * Opens the service without serving it, runs `work`, and closes it. It takes the data directory's lock: for commands that a running service
 * would notice too late. Throws WrongDataDir and DataDirInUse.
 */
export async function withStoppedService<T>(work: (services: Services) => Promise<T>): Promise<T> {
  const config = loadConfig(process.env)
  assertServiceData(config.dataDir)
  restrictNewFiles(config)
  const admission = new Admission(config.sizes)
  const parts = { logger: pino({ level: 'silent' }), clock: () => new Date(), newId: randomUUID, admission }
  const opened = await openServices(config, addressFor(config, config.port), parts)
  try {
    return await work(opened.services)
  } finally {
    await opened.close()
  }
}

/** Reads all entries of a list. */
export async function listAll<T>(read: (slice: SliceInput) => Promise<Result<T[]>>): Promise<T[]> {
  const all: T[] = []
  let cursor: string | undefined
  do {
    const { data, nextCursor } = await read(cursor === undefined ? {} : { cursor })
    all.push(...data)
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
  return all
}

/** Finds the workspace with that id or name; the first one if no name is given. Throws `workspace_not_found` and `conflict`. */
export async function findWorkspace(catalog: Catalog, idOrName?: string): Promise<Workspace> {
  const all = await catalog.workspaces.list()
  const matching =
    idOrName === undefined ? all.slice(0, 1) : all.filter(({ id, name }) => id === idOrName || name === idOrName)
  const [workspace, second] = matching
  if (workspace === undefined) {
    const hint = idOrName === undefined ? 'Start the service once.' : 'See "workspaces list".'
    throw new ServiceError('workspace_not_found', `There is no such workspace. ${hint}`)
  }
  if (second !== undefined) {
    throw new ServiceError('conflict', `Several workspaces are named "${idOrName}": give the id.`)
  }
  return workspace
}

/** Finds the live site with that slug or id, and its workspace. Throws `site_not_found`. */
export async function findSite(catalog: Catalog, name: string): Promise<{ site: Site; workspace: Workspace }> {
  const [site] = await findSites(catalog, [name])
  const workspace = site && catalog.workspaces.find(site.workspaceId)
  if (site === undefined || workspace === undefined) throw new Error(`the catalog has no workspace of ${name}`)
  return { site, workspace }
}

/** Finds the live sites with these slugs or ids; all live sites if none is named. Throws `site_not_found`. */
export async function findSites(catalog: Catalog, names: readonly string[]): Promise<Site[]> {
  const live = await catalog.sites.listLive()
  if (names.length === 0) return live
  return names.map((name) => {
    const site = live.find(({ id, slug }) => id === name || slug === name)
    if (site === undefined) throw new ServiceError('site_not_found', `There is no site "${name}". See "sites list".`)
    return site
  })
}
