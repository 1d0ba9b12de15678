// Prints the findings of a dry run, for people: differences on request, links that would break, and the preview's URL.

import {
  type ApiClient,
  type DataOf,
  dataOf,
  type Deployed,
  type DeployFile,
  Refusal,
} from '../../protocols/client/client.js'
import { pathOfFile } from '../local/page-files.js'
import { cell, printError } from '../terminal/printable.js'
import { printUnified } from '../terminal/unified-diff.js'
import type { ChangeRequest } from './draft.js'

/** Pages whose differences are shown. */
const MAX_SHOWN = 20

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

/** Prints the differences of the first pages that are new or changed. */
export async function printDiffs(
  client: ApiClient,
  files: readonly DeployFile[],
  { files: changes }: Deployed,
  draft: ChangeRequest | undefined,
): Promise<void> {
  const changed = new Set(changes.filter(({ change }) => change !== 'removed').map(({ path }) => path))
  const pages = files.filter(({ name }) => changed.has(name) && name.endsWith('.html'))
  for (const { name, read } of pages.slice(0, MAX_SHOWN)) {
    const query = { path: pathOfFile(name), dryRun: true, ...(draft && { changeRequest: draft.id }) }
    const body = { html: await (await read()).text() }
    try {
      const { dryRun } = dataOf(await client.PUT('/pages', { params: { query }, body }))
      if (dryRun?.diff != null) printUnified(dryRun.diff)
    } catch (error) {
      // A folder may have pages that a single write may not make.
      if (!(error instanceof Refusal)) throw error
      printError(`The difference of ${cell(name)} is not shown.`)
    }
  }
  if (pages.length > MAX_SHOWN) printError(`The differences of ${pages.length - MAX_SHOWN} more pages are not shown.`)
}
