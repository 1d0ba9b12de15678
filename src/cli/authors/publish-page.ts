// Publishes one page.

import { randomUUID } from 'node:crypto'
import { dataOf, Refusal } from '../../protocols/client/client.js'
import type { Connection } from '../connection/connection.js'
import { cell, printError, printJson } from '../terminal/printable.js'
import { draftQuery, printDraft, toldDraft, writtenDraft } from './draft.js'
import { type DryRun, printDryRun } from './dry-run.js'

export interface PublishOptions {
  message?: string
  draft?: true | string
  dryRun?: true
  diff?: true
  json?: true
}

/** Publishes the page as a batch of one: only batches record a reason. */
export async function publishPage(
  connection: Connection,
  page: { path: string; html: string },
  options: PublishOptions,
): Promise<void> {
  const { message, dryRun, diff, json } = options
  const query = { ...(dryRun === true && { dryRun }), ...(await draftQuery(connection, options)) }
  const answer = await connection.client.POST('/batch', {
    params: { header: { 'Idempotency-Key': randomUUID() }, query },
    body: { operations: [{ op: 'putPage', ...page }], ...(message !== undefined && { reason: message }) },
  })
  const { items, dryRun: shown } = dataOf(answer)
  const [item] = items
  const draft = await writtenDraft(connection, answer.data)
  if (item === undefined) throw new Refusal(answer.response, undefined)
  const { path = page.path, url = '', created, changed } = item
  const outcome = created ? 'created' : changed ? 'replaced' : 'unchanged'
  const place = query.changeRequest === undefined || shown !== undefined ? [at(url, outcome, shown)] : []
  if (json) return printJson({ path, outcome, url: place[0], ...(shown && { dryRun: shown }), ...toldDraft(draft) })
  console.log([outcome, cell(path), ...place.map((shownAt) => cell(shownAt))].join('\t'))
  if (draft !== undefined) printDraft(connection, draft)
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
