// Checks the rules files and the names in a site's tree.

import type { Snapshot } from '../../repository/reading/snapshot.js'
import { checkNames, walkFolders } from './check-names.js'
import { checkRules } from './check-rules.js'
import { startCpuBound } from '../../threads/cpu-bound.js'
import { type Finding, MAX_FINDINGS } from './finding.js'

/** CPU time after which the check stops. */
const MAX_CHECK_MS = 1_500

export function checkTree(snapshot: Snapshot): { findings: Finding[]; isComplete: boolean } {
  const isOver = startCpuBound(MAX_CHECK_MS)
  const findings: Finding[] = []
  for (const finding of findingsIn(snapshot)) {
    if (findings.length === MAX_FINDINGS || isOver()) return { findings, isComplete: false }
    if (finding !== undefined) findings.push(finding)
  }
  return { findings, isComplete: true }
}

function* findingsIn(snapshot: Snapshot): Generator<Finding | undefined> {
  yield* checkRules(snapshot)
  for (const folder of walkFolders(snapshot)) yield* checkNames(snapshot, folder)
}
