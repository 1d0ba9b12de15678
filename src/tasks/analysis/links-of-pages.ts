// Finds the links of given pages that lead nowhere, in the pages themselves. The index of the site has those of all pages of main.

import { treePathOf, parsePagePath } from '../../model/paths/page-path.js'
import { lineAt, lineStartsOf } from '../../model/text-parts.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import { startCpuBound } from '../../threads/cpu-bound.js'
import { targetsOf } from './broken-links.js'
import { readLinks } from './document-links.js'

/** CPU time after which the search stops. */
const MAX_STEP_MS = 500

export interface BrokenLinksOfPages {
  broken: { path: string; target: string; line: number }[]
  /** Number of pages that were looked at, the first ones. */
  checked: number
  /** False if a part of one of them was not read. */
  isComplete: boolean
}

/** Leaves out paths at which there is no page. */
export function brokenLinksOfPages(paths: readonly string[], site: Snapshot): BrokenLinksOfPages {
  const isOver = startCpuBound(MAX_STEP_MS)
  const leads = targetsOf(site)
  const broken: BrokenLinksOfPages['broken'] = []
  let isComplete = true
  for (const [checked, path] of paths.entries()) {
    if (checked > 0 && isOver()) return { broken, checked, isComplete }
    const treePath = treePathOf(parsePagePath(path))
    const entry = site.entry(treePath)
    if (entry === undefined) continue
    const { links } = readLinks(site, treePath, entry.oid) ?? {}
    isComplete &&= links?.isComplete === true
    const lost = [...(links?.paths ?? [])].filter(([target]) => !leads(target))
    const starts = lost.length === 0 ? [] : lineStartsOf(links?.text ?? '')
    broken.push(...lost.map(([target, at]) => ({ path, target, line: lineAt(starts, at) })))
  }
  return { broken, checked: paths.length, isComplete }
}
