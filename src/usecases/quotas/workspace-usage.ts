// Knows what each workspace uses of its quotas, and so the room that a write has.

import { isBeyond, type QuotaLimits, type Quotas, quotasOf, type Room } from '../../admission/quotas.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { Workspace } from '../../catalog/workspaces.js'
import { sizeOf } from '../../store/protocol/cost.js'
import type { RoomKeeper } from '../../store/protocol/room-keeper.js'
import type { SiteRef, Write, Written } from '../../store/protocol/write.js'
import type { Figures, SiteFigures } from './site-figures.js'

interface Parts {
  catalog: Pick<Catalog, 'workspaces' | 'sites'>
  limits: QuotaLimits
  figures: SiteFigures
}

/** Sites that are measured at the same time. */
const MAX_AT_ONCE = 8

export class WorkspaceUsage implements RoomKeeper {
  readonly #parts: Parts
  /** The figures of single sites. */
  readonly figures: SiteFigures

  constructor(parts: Parts) {
    this.#parts = parts
    this.figures = parts.figures
  }

  quotasOf(workspace: Workspace): Quotas {
    return quotasOf(this.#parts.limits, workspace.quotas)
  }

  async roomFor({ workspaceId }: SiteRef, write: Write): Promise<Room | undefined> {
    return workspaceId === undefined ? undefined : await this.roomOf(workspaceId, storedBytesOf(write))
  }

  noteWritten(site: SiteRef, write: Write, written: Written): void {
    if (written.changed) this.figures.noteWritten(site, storedBytesOf(write), written)
  }

  /** Returns the room for something that stores about so many bytes; undefined without a quota of bytes or pages. */
  async roomOf(workspaceId: string, storedBytes: number): Promise<Room | undefined> {
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

  /** Returns the figures of all sites of the workspace together. */
  async of(workspaceId: string, isExact = false): Promise<Figures> {
    const sites = await this.#parts.catalog.sites.list(workspaceId)
    const total = { pages: 0, bytes: 0 }
    for (let first = 0; first < sites.length; first += MAX_AT_ONCE) {
      const some = sites.slice(first, first + MAX_AT_ONCE)
      for (const { pages, bytes } of await Promise.all(some.map((site) => this.figures.of(site, isExact)))) {
        total.pages += pages
        total.bytes += bytes
      }
    }
    return total
  }
}

/** Estimates the bytes that the write brings: its contents as they come, and its packs. */
function storedBytesOf({ operation, packs = [] }: Write): number {
  return packs.reduce((sum, { bytes }) => sum + bytes, sizeOf(operation))
}
