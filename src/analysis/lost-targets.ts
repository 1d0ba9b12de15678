// Which of the addresses that a site's pages link to lead nowhere.

import type { Snapshot } from '../store/reading/snapshot.js'
import { targetsOf } from './broken-links.js'
import { startCpuBound } from '../threads/cpu-bound.js'

/** Of the processor. After this the search stops: a site may have many rules. */
const MAX_STEP_MS = 500

export interface LostTargets {
  lost: string[]
  /** How many of the targets were looked at, the first ones. */
  checked: number
}

/** With `before`, only those are lost that led somewhere there. */
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
