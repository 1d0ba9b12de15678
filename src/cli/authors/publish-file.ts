// Publishes one file as it is: one that is no page, or a page that is too large to be more than a file.

import { bytesBody, dataOf } from '../../protocols/client/client.js'
import type { Connection } from '../connection/connection.js'
import { Unusable } from '../connection/unusable.js'
import { cell, printError, printJson } from '../terminal/printable.js'
import { printDryRun } from './dry-run.js'
import type { PublishOptions } from './publish-page.js'

export async function publishFile(
  { client }: Connection,
  file: { path: string; bytes: Blob },
  { message, dryRun, diff, json }: PublishOptions,
): Promise<void> {
  if (message !== undefined) throw new Unusable('--message is for pages and folders: put the file into a folder.')
  const params = { query: { path: file.path, ...(dryRun === true && { dryRun }) } }
  const answer = await client.PUT('/files', { params, ...bytesBody(file.bytes) })
  const { path, url, changed, warnings = [], dryRun: shown } = dataOf(answer)
  const isNew = shown?.created ?? answer.response.status === 201
  const outcome = changed === false ? 'unchanged' : isNew ? 'created' : 'replaced'
  if (json) return printJson({ path, outcome, url, ...(shown && { dryRun: shown }) })
  for (const warning of warnings) printError(`warning: ${cell(path)}: ${cell(warning.message)}`)
  console.log([outcome, cell(path), cell(url ?? '')].join('\t'))
  if (shown !== undefined) {
    printDryRun(shown, diff === true)
    printError('Dry run: nothing was published.')
  }
}
