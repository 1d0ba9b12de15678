// When the pages of a site were last changed, for those who cannot wait for the index.

import { IndexLost } from '../catalog/index/site-index.js'
import type { Site } from '../catalog/sites.js'
import { catchUp } from './catch-up.js'
import type { Services } from './services.js'

/** Of every published page as of `commit`, in seconds; undefined, with a catch-up begun, while the index is elsewhere. */
export function lastChangesAt(
  services: Services,
  site: Site,
  commit: string,
): { path: string; time: number }[] | undefined {
  const { index } = services
  try {
    if (index.indexedCommit(site.id) === commit) return index.lastChanges(site.id)
  } catch (error) {
    if (!(error instanceof IndexLost)) throw error
  }
  // Whoever needs the index to be right asks it, and is told what hinders it.
  catchUp(services, site).catch(() => undefined)
  return undefined
}
