// Brings what our own writes did to the index. Writes that the store answers together join one transaction,
// and each still reads the index as its own commit left it.

import type { PageRow } from '../catalog/index/tables/rows.js'
import { IndexLost, type SiteIndex } from '../catalog/index/site-index.js'
import { IndexMoved } from '../catalog/index/tables/standing.js'
import type { Site } from '../catalog/sites.js'
import type { CommitFacts } from '../model/facts.js'
import type { Written } from '../store/protocol/write.js'
import { applyOwn, distrust } from './catch-up.js'
import type { Services } from '../usecases/context/services.js'

interface OwnWrite {
  site: Site
  facts: CommitFacts
  id: string
  resolve(page: PageRow | undefined): void
  reject(error: unknown): void
}

const waiting = new WeakMap<SiteIndex, OwnWrite[]>()

/** The page that the write was about, as it left it; undefined where it was about none, or the index stands elsewhere. */
export async function indexOwn(services: Services, site: Site, written: Written): Promise<PageRow | undefined> {
  const { facts, id } = written
  if (facts === null) {
    // The head that the writer looked at may be newer than what the index has.
    distrust(services, site)
    return undefined
  }
  return await new Promise((resolve, reject) => {
    const write: OwnWrite = { site, facts, id, resolve, reject }
    const others = waiting.get(services.index) ?? []
    // The writes of a batch are answered in one task: by the time this runs, all of them wait.
    if (others.length === 0) queueMicrotask(() => indexAll(services))
    waiting.set(services.index, [...others, write])
  })
}

function indexAll(services: Services): void {
  const writes = waiting.get(services.index) ?? []
  waiting.delete(services.index)
  try {
    const pages: (PageRow | undefined)[] = []
    services.index.together(() => {
      for (const write of writes) pages.push(indexOne(services, write))
    })
    for (const [i, write] of writes.entries()) write.resolve(pages[i])
  } catch (error) {
    const isElsewhere = error instanceof IndexLost || error instanceof IndexMoved
    for (const write of writes) {
      distrust(services, write.site)
      // Reading the answer catches the index up.
      if (isElsewhere) write.resolve(undefined)
      else write.reject(error)
    }
  }
}

function indexOne(services: Services, { site, facts, id }: OwnWrite): PageRow | undefined {
  const isPage = facts.pageFiles.length > 0 || facts.sidecars.length > 0
  return applyOwn(services, site, facts) && isPage ? services.index.page(site.id, id) : undefined
}
