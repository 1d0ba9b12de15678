// When the pages of a site were last changed, for those who cannot wait for the index.

import { IndexLost, type SiteIndex } from '../catalog/index/site-index.js'

export interface IndexInUse {
  index: SiteIndex
  /** Told of a site whose index is behind. */
  onBehind: (siteId: string) => void
}

/** Of every published page as of `commit`, in seconds; undefined while the index is elsewhere. */
export function lastChangesAt(
  { index, onBehind }: IndexInUse,
  siteId: string,
  commit: string,
): { path: string; time: number }[] | undefined {
  try {
    if (index.indexedCommit(siteId) === commit) return index.lastChanges(siteId)
  } catch (error) {
    if (!(error instanceof IndexLost)) throw error
  }
  onBehind(siteId)
  return undefined
}
