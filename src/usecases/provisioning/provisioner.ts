// Makes sites and workspaces. A site is made in three steps (design §4.7): a catalog row reserves id and slug, the repository is built, the
// row becomes live. The next start finishes or undoes a site that a crash left in between.

import type { QuotaLimits } from '../../admission/quotas.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { Site } from '../../catalog/site.js'
import type { Workspace } from '../../catalog/workspaces.js'
import { type Clock, type MakeId, toSeconds, toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { parseLabel } from '../../model/label.js'
import { parseSlug } from '../../model/hosts/slug.js'
import { importFrom } from '../../repository/disk/import-repository.js'
import type { Store } from '../../repository/store.js'
import { refuseAnotherSite } from '../quotas/refuse-beyond.js'

export interface ProvisionerParts {
  catalog: Catalog
  store: Store
  clock: Clock
  newId: MakeId
  limits: QuotaLimits
}

export class Provisioner {
  readonly #parts: ProvisionerParts
  /** Sites that a disk error left between two steps: the next request for the same slug finishes them. */
  readonly #unfinished: Site[] = []

  constructor(parts: ProvisionerParts) {
    this.#parts = parts
  }

  /**
   * Makes a site, live when this resolves. `beforeLive` runs once its repository is durable: from then on, the next start makes the site
   * live. Throws `invalid_slug`, `reserved_slug`, `slug_taken`, `site_quota_exceeded`, and `outcome_unknown` if the disk failed in between.
   */
  async createSite(
    workspaceId: string,
    slug: string,
    { name, beforeLive }: { name?: string | undefined; beforeLive?: (site: Site) => Promise<void> } = {},
  ): Promise<Site> {
    const { catalog, store, clock } = this.#parts
    const now = toSeconds(clock())
    const left = this.#takeUnfinished(workspaceId, slug)
    const site = left ?? (await this.#reserve(workspaceId, slug, name, now))
    try {
      if (left === undefined || !store.repositories.exists(left)) await store.writers.createRepository(site, now)
      await beforeLive?.(site)
      await catalog.sites.markLive(site)
    } catch (error) {
      const isUnknown = error instanceof ServiceError && error.code === 'outcome_unknown'
      if (!isUnknown && (await this.#tryDrop(site))) throw error
      this.#unfinished.push(site)
      const refusal = new ServiceError(
        'outcome_unknown',
        'The disk failed while the site was being created. Retry; a restart of the service completes or removes it.',
      )
      throw Object.assign(refusal, { cause: error })
    }
    return { ...site, state: 'live' }
  }

  /**
   * Makes a site of an existing repository (a folder, bundle or URL), with its ids and history. A crash before the repository has its name
   * leaves a row that the next start removes. Throws `invalid_slug`, `reserved_slug`, `slug_taken`, `site_quota_exceeded`, and the errors
   * of the import.
   */
  async importSite(workspaceId: string, slug: string, source: string): Promise<Site> {
    const { catalog, store, clock, newId } = this.#parts
    const parsed = parseSlug(slug)
    refuseAnotherSite(this.#parts, workspaceId)
    const now = toSeconds(clock())
    const imported = await importFrom(store.repositories.dataDir, source, newId(), now)
    const site = { id: imported.siteId, workspaceId, slug: parsed, createdAt: toTimestamp(now) }
    const reserved = await catalog.sites.reserve(site).catch((error: unknown) => {
      imported.drop()
      throw error
    })
    await store.writers.adoptRepository(reserved, imported.gitdir).catch((error: unknown) => {
      imported.drop()
      throw error
    })
    await this.#makeLive(reserved)
    return { ...reserved, state: 'live' }
  }

  /** Makes a workspace and its default site, or neither. Throws `invalid_body` for the name, and as `createSite` does. */
  async createWorkspace(name: string, slug: string): Promise<{ workspace: Workspace; site: Site }> {
    const { catalog, newId } = this.#parts
    const createdAt = await this.#nextCreation()
    const workspace = await catalog.workspaces.create({ id: newId(), name: parseLabel(name, 'name'), createdAt })
    const site = await this.createSite(workspace.id, slug).catch(async (error: unknown) => {
      await catalog.workspaces.dropEmpty(workspace.id)
      throw error
    })
    await catalog.workspaces.setDefaultSite(workspace.id, site.id)
    return { workspace: { ...workspace, defaultSiteId: site.id }, site }
  }

  /**
   * Returns a time later than that of every workspace, independent of the clock. Commands that name no workspace use the oldest, so a new
   * one must never come before it.
   */
  async #nextCreation(): Promise<string> {
    const now = toSeconds(this.#parts.clock())
    const newest = (await this.#parts.catalog.workspaces.list()).at(-1)
    return toTimestamp(newest === undefined ? now : Math.max(now, toSeconds(new Date(newest.createdAt)) + 1))
  }

  /** Finishes or removes the sites that a crash left half made. Opens no repository of a live site. */
  async recover(): Promise<void> {
    const { catalog, store } = this.#parts
    store.repositories.clearUnfinished()
    for (const site of await catalog.sites.listCreating()) await this.settle(site)
  }

  /** Makes a half made site live if its repository exists, and frees id and slug otherwise. */
  async settle(site: Site): Promise<boolean> {
    const { catalog, store } = this.#parts
    await store.follow(site)
    // The repository gets its name by a rename once it is complete.
    const isThere = store.repositories.exists(site)
    if (isThere) await this.#makeLive(site)
    else await catalog.sites.dropCreating(site.id)
    return isThere
  }

  /** Moves the repositories of deleted sites aside if a crash prevented that. One that cannot be moved does not stop the start. */
  async finishDeletions(onFailure: (site: Site, error: unknown) => void): Promise<void> {
    const { catalog, store } = this.#parts
    for (const site of await catalog.sites.listDeleted()) {
      try {
        store.repositories.retire(site)
      } catch (error) {
        onFailure(site, error)
      }
    }
  }

  /** Makes a site live that may have content already. */
  async #makeLive(site: Site): Promise<void> {
    const { catalog, store } = this.#parts
    await catalog.sites.markLive(site)
    store.tellHead(site)
  }

  async #reserve(workspaceId: string, slug: string, name: string | undefined, now: number): Promise<Site> {
    const { catalog, newId } = this.#parts
    const createdAt = toTimestamp(now)
    const parsed = parseSlug(slug)
    refuseAnotherSite(this.#parts, workspaceId)
    return await catalog.sites.reserve({ id: newId(), workspaceId, slug: parsed, name, createdAt })
  }

  #takeUnfinished(workspaceId: string, slug: string): Site | undefined {
    const at = this.#unfinished.findIndex((site) => site.workspaceId === workspaceId && site.slug === slug)
    return at < 0 ? undefined : this.#unfinished.splice(at, 1)[0]
  }

  /** Frees id and slug, unless the repository exists already or the disk refuses. */
  async #tryDrop(site: Site): Promise<boolean> {
    const { catalog, store } = this.#parts
    try {
      if (store.repositories.exists(site)) return false
      await catalog.sites.dropCreating(site.id)
      return true
    } catch {
      // The caller learns of the failure that came first.
      return false
    }
  }
}
