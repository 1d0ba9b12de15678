// Which of the addresses that a site's pages link to lead nowhere.

import type { Snapshot } from '../store/reading/snapshot.js'
import { targetsOf } from './broken-links.js'

/** With `before`, only those that led somewhere there. */
export function lostTargets(targets: readonly string[], site: Snapshot, before?: Snapshot): string[] {
  const leads = targetsOf(site)
  const led = before === undefined ? () => true : targetsOf(before)
  return targets.filter((target) => !leads(target) && led(target))
}
