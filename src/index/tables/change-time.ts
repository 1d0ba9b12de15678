// The time at which a page or a file changed, as the API answers it.

import type { CommitFacts } from '../../model/commits/facts.js'

/**
 * Returns the commit's time, or a second after the change before if that is later. So a wrong clock takes no time back, and a client that
 * knows only a date never takes old bytes for new ones. The service's own clock counts as it is: a later time was in the future then, and
 * no client has seen it.
 */
export function changeTime({ time, maker }: CommitFacts, before: number | undefined): number {
  return before !== undefined && time < before && maker === null ? before + 1 : time
}
