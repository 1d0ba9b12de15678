// Prints the findings of a dry run, for people: differences on request, links that would break, and the preview's URL.

import type { DataOf } from '../../protocols/client/client.js'
import { cell } from '../terminal/printable.js'
import { printUnified } from '../terminal/unified-diff.js'

export type DryRun = NonNullable<DataOf<'/batch', 'post'>['dryRun']>

/** Prints differences on standard output, the rest on standard error. */
export function printDryRun({ diff, warnings, previewUrl, expiresAt }: DryRun, withDiff: boolean): void {
  if (withDiff && diff !== null) printUnified(diff)
  if (withDiff && diff === null)
    console.error('The differences are too large to show: look at the preview, or try fewer pages.')
  for (const { path, message } of warnings)
    console.error(`warning: ${path === null ? '' : `${cell(path)}: `}${cell(message)}`)
  if (previewUrl !== null) console.error(`Preview until ${expiresAt}: ${cell(previewUrl)}`)
}
