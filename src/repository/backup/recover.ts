// Rebuilds a lost or damaged catalog from the repositories of its data directory: sites, their ids and their slugs. Keys, people and grants
// were only in the catalog.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { OPERATOR_CHAIN } from '../../catalog/audit/chain.js'
import { type Catalog, openCatalog } from '../../catalog/catalog.js'
import { catalogFileIn, CatalogUnusable, listRepositories } from '../../catalog/catalog-file.js'
import type { NewSite, Site } from '../../catalog/site.js'
import { holdDataDir } from '../../catalog/sqlite/data-dir-lock.js'
import { syncDirectory, syncFilesystem } from '../../git/disk/durable.js'
import { type Clock, type MakeId, toSeconds, toTimestamp } from '../../model/clock.js'
import { DiskRepositories } from '../disk/disk-repositories.js'
import { branchesOf } from '../protocol/request-branches.js'
import { listRetired } from '../disk/retired-repositories.js'
import { draftsOf } from '../protocol/site-place.js'
import { readClaim, settleClaims, type SiteClaim } from './site-claims.js'

export interface RecoverOptions {
  clock: Clock
  newId: MakeId
  /** Name of one workspace for all sites. Without it, each site gets its own workspace, because sites of different people must not meet. */
  workspace?: string | undefined
  progress: RecoverProgress
}

export interface RecoverProgress {
  begin(repositories: number): void
  /** `isServed` is false if its `.site.json` names another site. */
  recovered(slug: string, isServed: boolean): void
  failed(slug: string, reason: string): void
  /** Reports change requests that the catalog did not know, of a site. */
  adopted(slug: string, requests: number): void
}

const MAX_TITLE = 100

/** Folder in which a new catalog is made, until it is complete. */
const BUILDING = '.recover'

/**
 * Adds every repository that the catalog does not name; an unusable catalog is set aside first. Run again after an interruption, it goes
 * on. Throws DataDirInUse.
 */
export async function recoverCatalog(dataDir: string, options: RecoverOptions): Promise<void> {
  const release = holdDataDir(dataDir, 'alone')
  try {
    const kept = await openUsable(dataDir)
    if (kept === undefined) await makeAnew(dataDir, options)
    else await closing(kept, () => addSites(kept, dataDir, options))
  } finally {
    release()
  }
}

async function makeAnew(dataDir: string, options: RecoverOptions): Promise<void> {
  const building = join(dataDir, BUILDING)
  const complete = join(building, 'complete.db')
  rmSync(building, { recursive: true, force: true })
  mkdirSync(building)
  const catalog = await openCatalog(building)
  await closing(catalog, async () => {
    await addSites(catalog, dataDir, options)
    const actor = { kind: 'operator' as const, id: 'operator' }
    await catalog.audit.record({ workspaceId: OPERATOR_CHAIN, actor, action: 'service.recover', target: 'service' })
    catalog.copyTo(complete)
  })
  syncFilesystem(dataDir)
  setAside(dataDir, options.clock())
  renameSync(complete, catalogFileIn(dataDir))
  syncDirectory(dataDir)
  rmSync(building, { recursive: true })
}

async function closing(catalog: Catalog, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } finally {
    await catalog.close()
  }
}

async function openUsable(dataDir: string): Promise<Catalog | undefined> {
  try {
    return await openCatalog(dataDir)
  } catch (error) {
    if (error instanceof CatalogUnusable) return undefined
    throw error
  }
}

async function addSites(catalog: Catalog, dataDir: string, options: RecoverOptions): Promise<void> {
  const { progress } = options
  const slugs = listRepositories(dataDir).filter((slug) => catalog.sites.findBySlug(slug) === undefined)
  progress.begin(slugs.length)
  const repositories = new DiskRepositories(dataDir)
  const claims: SiteClaim[] = []
  for (const slug of slugs) await attempt(slug, () => void claims.push(readClaim(repositories, slug)), progress)
  const deleted = listRetired(dataDir)
  const slugOfDeleted = new Map(deleted.map(({ id, slug }) => [id, slug]))
  for (const { claim, leftOut } of settleClaims(repositories, claims, slugOfDeleted)) {
    if (leftOut !== undefined) progress.failed(claim.slug, leftOut)
    else await attempt(claim.slug, () => addSite(catalog, claim, options), progress)
  }
  await adoptRequests(catalog, repositories, progress)
  const createdAt = toTimestamp(toSeconds(options.clock()))
  for (const { id, slug } of deleted) await reserveDeleted(catalog, { id, slug, createdAt })
}

async function attempt(slug: string, work: () => void | Promise<void>, progress: RecoverProgress): Promise<void> {
  try {
    await work()
  } catch (error) {
    progress.failed(slug, error instanceof Error ? error.message : String(error))
  }
}

async function addSite(catalog: Catalog, claim: SiteClaim, options: RecoverOptions): Promise<void> {
  const { newId, workspace: name, progress } = options
  const { id, slug, namedId } = claim
  const [other] = catalog.sites.findByIdPrefix(id)
  if (other !== undefined) throw new Error(`it is a copy of ${other.slug}: its .site.json names the same id`)
  const known = (await catalog.workspaces.list()).find((workspace) => workspace.name === name)
  const createdAt = toTimestamp(claim.createdAt)
  const workspace = known ?? { id: newId(), name: name ?? slug, createdAt, defaultSiteId: null }
  const site = { id, slug, createdAt, workspaceId: workspace.id }
  if (known === undefined) await catalog.workspaces.create(workspace)
  await catalog.sites.reserve(site)
  await catalog.sites.markLive(site)
  if (workspace.defaultSiteId === null) await catalog.workspaces.setDefaultSite(workspace.id, site.id)
  progress.recovered(slug, namedId === undefined || namedId === id)
}

/**
 * Gives a row to each change request that the catalog does not know. Title, author and approvals were only there: each becomes a draft of
 * the operator, with the first line of its newest commit as its title.
 */
async function adoptRequests(
  catalog: Catalog,
  repositories: DiskRepositories,
  progress: RecoverProgress,
): Promise<void> {
  for (const site of await catalog.sites.listLive()) {
    const drafts = repositories.gitdir(draftsOf(site))
    const branches = existsSync(drafts) ? branchesOf(drafts) : []
    const unknown = branches.filter((id) => catalog.changeRequests.find(id) === undefined)
    for (const id of unknown) await adoptRequest(catalog, repositories, { ...site, request: id })
    if (unknown.length > 0) progress.adopted(site.slug, unknown.length)
  }
}

async function adoptRequest(catalog: Catalog, repositories: DiskRepositories, site: Site): Promise<void> {
  const { id: siteId, request: id = '' } = site
  const title = titleOf(repositories, site) ?? id
  const operator = { author: 'operator', madeBy: 'operator operator', userId: null }
  await catalog.changeRequests.create({ id, siteId, title, state: 'draft', ...operator })
}

/** Returns the first line of the newest commit; undefined if it cannot be read, so that an operator can repair the branch. */
function titleOf(repositories: DiskRepositories, site: Site): string | undefined {
  const repository = repositories.open(site)
  try {
    const [line] = repository.objects.readCommit(repository.head() ?? '').message.split('\n', 1)
    return line?.slice(0, MAX_TITLE)
  } catch {
    return undefined
  } finally {
    repository.close()
  }
}

/** Reserves the slug of a deleted site, which is never used again, in some workspace: deleted sites are visible to no one. */
async function reserveDeleted(catalog: Catalog, site: Omit<NewSite, 'workspaceId'>): Promise<void> {
  const [workspace] = await catalog.workspaces.list()
  if (workspace === undefined) return
  try {
    await catalog.sites.reserve({ ...site, workspaceId: workspace.id })
    await catalog.sites.markDeleted(site.id)
  } catch {
    // The catalog names it already.
  }
}

function setAside(dataDir: string, now: Date): void {
  const file = catalogFileIn(dataDir)
  const to = `${file}.broken-${now.toISOString().replaceAll(/[:.]/g, '-')}`
  for (const end of ['', '-wal', '-shm']) if (existsSync(`${file}${end}`)) renameSync(`${file}${end}`, `${to}${end}`)
}
