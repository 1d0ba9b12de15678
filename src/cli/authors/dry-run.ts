// Prints the findings of a dry run, for people: differences on request, links that would break, and the preview's URL.

import type { DataOf } from '../../protocols/client/client.js'
import { cell } from '../terminal/printable.js'
import { printUnified } from '../terminal/unified-diff.js'

export type DryRun = NonNullable<DataOf<'/batch', 'post'>['dryRun']>

/** Prints differences on standard output, the rest on standard error. */
export function printDryRun(dryRun: DryRun, withDiff: boolean): void {
  const { diff, previewUrl, expiresAt } = dryRun
  if (withDiff && diff !== null) printUnified(diff)
  if (withDiff && diff === null)
    console.error('The differences are too large to show: look at the preview, or try fewer pages.')
  printWarnings(dryRun)
  if (previewUrl !== null) console.error(`Preview until ${expiresAt}: ${cell(previewUrl)}`)
}

/** Names the links that would break, and the pages that have them. */
export function printWarnings(dryRun: DryRun | undefined): void {
  for (const { path, message } of dryRun?.warnings ?? [])
    console.error(`warning: ${path === null ? '' : `${cell(path)}: `}${cell(message)}`)
}
