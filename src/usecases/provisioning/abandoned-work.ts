// Settles the work that dead machines left half done. An import, or a new site, becomes live if all of it is in the log. Otherwise the import
// fails, and the new site's slug becomes free.

import type { Catalog } from '../../catalog/catalog.js'
import type { Replica } from '../../repository/protocol/replica.js'
import type { Leases } from '../../threads/leases.js'
import type { Imports } from './imports.js'
import type { Provisioner } from './provisioner.js'

/**
 * Time after which a site counts as abandoned; making one takes seconds. A stalled machine's site can still become live later, if its slug is
 * free.
 */
const MAKING_MS = 20_000

export interface AbandonedWorkParts {
  catalog: Catalog
  leases: Leases
  replica: Pick<Replica, 'followCatalog'>
  imports: Pick<Imports, 'settle'>
  provisioner: Pick<Provisioner, 'settle'>
}

export class AbandonedWork {
  readonly #parts: AbandonedWorkParts
  readonly #makingMs: number
  /** Sites that are being made, by id, with the time of first sight on the monotonic clock. */
  #making = new Map<string, number>()

  constructor(parts: AbandonedWorkParts, makingMs = MAKING_MS) {
    this.#parts = parts
    this.#makingMs = makingMs
  }

  async settle(): Promise<void> {
    const { catalog, imports, leases, provisioner, replica } = this.#parts
    const importing = catalog.imports.listUnderWay()
    for (const each of importing) {
      if ((await leases.find('import', each.id)) !== undefined) continue
      // Its machine may have ended it since.
      await replica.followCatalog()
      const now = catalog.imports.find(each.workspaceId, each.id)
      if (now?.state === 'importing') await imports.settle(now)
    }
    const slugs = new Set(importing.map(({ slug }) => slug))
    const making = (await catalog.sites.listCreating()).filter(({ slug }) => !slugs.has(slug))
    const now = performance.now()
    this.#making = new Map(making.map(({ id }) => [id, this.#making.get(id) ?? now]))
    for (const site of making)
      if (now - (this.#making.get(site.id) ?? now) > this.#makingMs) await provisioner.settle(site)
  }
}
