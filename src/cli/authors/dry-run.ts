// What a dry run found, for people: the differences where they are asked for, links that would break, and where to look.

import type { DataOf } from '../../client/client.js'
import { cell } from '../terminal/printable.js'
import { printUnified } from '../terminal/unified-diff.js'

export type DryRun = NonNullable<DataOf<'/batch', 'post'>['dryRun']>

/** Differences on standard output, the rest on standard error. */
export function printDryRuns(shown: readonly DryRun[], { diff = false }: { diff?: boolean }): void {
  for (const dryRun of shown) printDryRun(dryRun, diff)
  if (shown.length > 1)
    console.error(
      `Shown in ${shown.length} parts, each without the others: their links to one another count as broken.`,
    )
  console.error('Dry run: nothing was published.')
}

function printDryRun({ diff, warnings, previewUrl, expiresAt }: DryRun, withDiff: boolean): void {
  if (withDiff && diff !== null) printUnified(diff)
  if (withDiff && diff === null) console.error('There is too much to compare: look at the preview, or at fewer pages.')
  for (const { path, message } of warnings)
    console.error(`warning: ${path === null ? '' : `${cell(path)}: `}${cell(message)}`)
  if (previewUrl !== null) console.error(`Preview until ${expiresAt}: ${cell(previewUrl)}`)
}
