// The time at which a page or a file changed, as clients are told it.

import type { CommitFacts } from '../../model/commits/facts.js'

/**
 * Returns the commit's time, or a second after the change before if that is later: a wrong clock takes no time back, so that a client that
 * knows only a date never takes old bytes for the new ones. The service's own clock counts as it is: a later time was in the future then,
 * and no client was told it.
 */
export function changeTime({ time, maker }: CommitFacts, before: number | undefined): number {
  return before !== undefined && time < before && maker === null ? before + 1 : time
}
