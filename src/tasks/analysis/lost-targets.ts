// Finds the link targets of a site's pages that lead nowhere.

import type { Snapshot } from '../../repository/reading/snapshot.js'
import { targetsOf } from './broken-links.js'
import { startCpuBound } from '../../threads/cpu-bound.js'

/** CPU time after which the search stops: a site may have many rules. */
const MAX_STEP_MS = 500

export interface LostTargets {
  lost: string[]
  /** Number of targets that were looked at, the first ones. */
  checked: number
}

/** Finds lost targets. With `before`, only targets that led somewhere there count as lost. */
export function lostTargets(targets: readonly string[], site: Snapshot, before?: Snapshot): LostTargets {
  const isOver = startCpuBound(MAX_STEP_MS)
  const leads = targetsOf(site)
  const led = before === undefined ? () => true : targetsOf(before)
  const lost: string[] = []
  for (const [checked, target] of targets.entries()) {
    if (checked > 0 && isOver()) return { lost, checked }
    if (!leads(target) && led(target)) lost.push(target)
  }
  return { lost, checked: targets.length }
}
