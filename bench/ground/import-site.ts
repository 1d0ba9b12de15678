// A grown repository as a site of a running service, and the wait until its history is indexed.

import { setTimeout as pause } from 'node:timers/promises'
import { pageIdOf } from './large-repository.js'
import { palimpsest, type RunningService, timed } from './running-service.js'

/** A history that is not indexed by then is given up, milliseconds. */
const MAX_INDEXING_MS = 15 * 60_000
const BETWEEN_ASKS = 5

/** The site's id, once it has been imported under that slug and its pages' versions can be asked for. */
export async function importSite(service: RunningService, slug: string, gitdir: string): Promise<string> {
  const siteId = await palimpsest(service.dataDir, 'sites', 'import', slug, gitdir)
  await untilIndexed(service, siteId)
  return siteId
}

/** Milliseconds of waiting for versions. */
export async function untilIndexed(service: RunningService, siteId: string): Promise<number> {
  const latest = performance.now() + MAX_INDEXING_MS
  return await timed(async () => {
    while ((await service.get(`/pages/${pageIdOf(0)}/versions`, siteId)).status === 503) {
      if (performance.now() > latest) throw new Error(`site ${siteId} was not indexed in ${MAX_INDEXING_MS} ms`)
      await pause(BETWEEN_ASKS)
    }
  })
}
