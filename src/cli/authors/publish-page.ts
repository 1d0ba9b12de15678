// Publishes one page.

import { randomUUID } from 'node:crypto'
import { dataOf, Refusal } from '../../protocols/client/client.js'
import type { Connection } from '../connection/connection.js'
import { cell, printError, printJson } from '../terminal/printable.js'
import { type DryRun, printDryRun } from './dry-run.js'

export interface PublishOptions {
  message?: string
  dryRun?: true
  diff?: true
  json?: true
}

/** Publishes the page as a batch of one: only batches record a reason. */
export async function publishPage(
  { client }: Connection,
  page: { path: string; html: string },
  { message, dryRun, diff, json }: PublishOptions,
): Promise<void> {
  const answer = await client.POST('/batch', {
    params: { header: { 'Idempotency-Key': randomUUID() }, ...(dryRun === true && { query: { dryRun } }) },
    body: { operations: [{ op: 'putPage', ...page }], ...(message !== undefined && { reason: message }) },
  })
  const { items, dryRun: shown } = dataOf(answer)
  const [item] = items
  if (item === undefined) throw new Refusal(answer.response, undefined)
  const { path = page.path, url = '', created, changed } = item
  const outcome = created ? 'created' : changed ? 'replaced' : 'unchanged'
  if (json) return printJson({ path, outcome, url: at(url, outcome, shown), ...(shown && { dryRun: shown }) })
  console.log([outcome, cell(path), cell(at(url, outcome, shown))].join('\t'))
  if (shown !== undefined) {
    printDryRun(shown, diff === true)
    printError('Dry run: nothing was published.')
  }
}

/** Returns the page's URL; in a dry run, its URL in the preview. */
function at(url: string, outcome: string, shown: DryRun | undefined): string {
  const previewUrl = outcome === 'unchanged' ? undefined : shown?.previewUrl
  return previewUrl ? new URL(new URL(url).pathname, previewUrl).href : url
}
