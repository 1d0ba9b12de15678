// Imports a grown repository as a site of a running service, and waits until its history is indexed.

import { setTimeout as pause } from 'node:timers/promises'
import { pageIdOf } from './large-repository.js'
import { palimpsest, type RunningService, timed } from './running-service.js'

/** Longest wait for indexing, in milliseconds. */
const MAX_INDEXING_MS = 15 * 60_000
const BETWEEN_ASKS = 5

/** Imports the site under the slug. Resolves with its id once its pages' versions can be requested. */
export async function importSite(service: RunningService, slug: string, gitdir: string): Promise<string> {
  const siteId = await palimpsest(service.dataDir, 'sites', 'import', slug, gitdir)
  await untilIndexed(service, siteId)
  return siteId
}

/** Returns the milliseconds of waiting for versions. */
export async function untilIndexed(service: RunningService, siteId: string): Promise<number> {
  const latest = performance.now() + MAX_INDEXING_MS
  return await timed(async () => {
    while ((await service.get(`/pages/${pageIdOf(0)}/versions`, siteId)).status === 503) {
      if (performance.now() > latest) throw new Error(`site ${siteId} was not indexed in ${MAX_INDEXING_MS} ms`)
      await pause(BETWEEN_ASKS)
    }
  })
}
