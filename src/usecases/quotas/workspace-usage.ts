// Knows what each workspace uses of its quotas.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { isBeyond, type QuotaLimits, type Quotas, quotasOf, type QuotaUse } from '../../admission/quotas.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { Site } from '../../catalog/site.js'
import type { Workspace } from '../../catalog/workspaces.js'
import { sizeOf } from '../../repository/protocol/cost.js'
import type { LiveCommit } from '../../repository/protocol/live-commits.js'
import type { SiteRef, Write } from '../../repository/protocol/write.js'
import type { SiteSize, SiteSizes } from './site-sizes.js'

interface Parts {
  catalog: Pick<Catalog, 'workspaces' | 'sites'>
  limits: QuotaLimits
  sizes: SiteSizes
}

/** Sites that are looked at in one turn of the event loop. */
const SITES_A_TURN = 100
/** Sites that are measured at the same time. */
const MAX_AT_ONCE = 8

export class WorkspaceUsage {
  readonly #parts: Parts
  /** The sizes of single sites. */
  readonly sizes: SiteSizes

  constructor(parts: Parts) {
    this.#parts = parts
    this.sizes = parts.sizes
  }

  quotasOf(workspace: Workspace): Quotas {
    return quotasOf(this.#parts.limits, workspace.quotas)
  }

  /** Returns the quotas that the write must keep to, and their use; undefined if the site's workspace has none. */
  async quotaUseFor({ workspaceId, request }: SiteRef, write: Write): Promise<QuotaUse | undefined> {
    const use = workspaceId === undefined ? undefined : await this.quotaUseOf(workspaceId, storedBytesOf(write))
    if (use === undefined || request === undefined) return use
    // The pages of a change request count once it is published.
    return use.bytes && { bytes: use.bytes }
  }

  /** Counts a write of this process to a change request. */
  onRequestWrite(site: SiteRef, write: Write): void {
    this.sizes.addToRequests(site, storedBytesOf(write))
  }

  /** Counts a write of this process; a site that moved in another way is looked at again. */
  onLive({ site, own }: LiveCommit): void {
    if (own === undefined) this.sizes.expire(site)
    else this.sizes.add(site, storedBytesOf(own.write), own.written)
  }

  /** Returns the quotas and their use for something that stores about so many bytes; undefined without a quota of bytes or pages. */
  async quotaUseOf(workspaceId: string, storedBytes: number): Promise<QuotaUse | undefined> {
    const workspace = this.#parts.catalog.workspaces.find(workspaceId)
    const { bytes, pages } = workspace === undefined ? { bytes: null, pages: null } : this.quotasOf(workspace)
    if (bytes === null && pages === null) return undefined
    let used = await this.of(workspaceId)
    // Nothing is refused by an estimate.
    if (bytes !== null && isBeyond({ used: used.bytes, quota: bytes }, storedBytes))
      used = await this.of(workspaceId, true)
    return {
      ...(bytes !== null && { bytes: { used: used.bytes, quota: bytes } }),
      ...(pages !== null && { pages: { used: used.pages, quota: pages } }),
    }
  }

  /** Returns the size of all sites of the workspace together. */
  async of(workspaceId: string, isExact = false): Promise<SiteSize> {
    const { sites } = this.#parts.catalog
    const total = { pages: 0, bytes: 0 }
    const add = ({ pages, bytes }: SiteSize) => {
      total.pages += pages
      total.bytes += bytes
    }
    const unknown: Site[] = []
    for (const [at, id] of sites.listIds(workspaceId).entries()) {
      if (at % SITES_A_TURN === SITES_A_TURN - 1) await nextTurn()
      const find = () => sites.find(workspaceId, id)
      const known = this.sizes.known(id, find, isExact)
      if (known === undefined) unknown.push(...[find()].filter((site) => site !== undefined))
      else add(known)
    }
    for (let first = 0; first < unknown.length; first += MAX_AT_ONCE) {
      const some = unknown.slice(first, first + MAX_AT_ONCE)
      for (const size of await Promise.all(some.map((site) => this.sizes.of(site, isExact)))) add(size)
    }
    return total
  }
}

/** Estimates the bytes that the write brings: its contents as they come, and its packs. */
function storedBytesOf({ operation, packs = [] }: Write): number {
  return packs.reduce((sum, { bytes }) => sum + bytes, sizeOf(operation))
}
