// `palimpsest changes update`: brings a change request up to date with what is live.

import type { Command } from 'commander'
import { dataOf } from '../../protocols/client/client.js'
import { findChangeRequest } from '../authors/draft.js'
import { announceSite } from '../connection/announce-site.js'
import { type AuthorOptions, connect, forAuthors } from '../connection/connection.js'
import { cell, printError, printJson } from '../terminal/printable.js'

interface Options extends AuthorOptions {
  ours?: string[]
  theirs?: string[]
}

export function addUpdate(changes: Command): void {
  forAuthors(changes.command('update <number>').description('merge what is live into a change request'))
    .option('--ours <paths...>', 'paths in conflict that keep what the change request has')
    .option('--theirs <paths...>', 'paths in conflict that get what is live')
    .action(update)
}

async function update(name: string, options: Options): Promise<void> {
  const connection = await connect(options)
  const { id, number } = await findChangeRequest(connection, name)
  await announceSite(connection, `Bringing change request ${number} up to date with`, options)
  const { ours, theirs, json } = options
  const updated = dataOf(
    await connection.client.POST('/change-requests/{id}/update', {
      params: { path: { id } },
      body: { ...(ours && { ours }), ...(theirs && { theirs }) },
    }),
  )
  const { commit, changed, conflicts } = updated
  if (conflicts.length > 0) process.exitCode = 1
  if (json) return printJson(updated)
  if (conflicts.length === 0) return console.log([changed ? 'updated' : 'unchanged', number, commit].join('\t'))
  printConflicts(conflicts)
  printError(
    'Nothing was changed. Name each path: --ours keeps that of the change request, --theirs takes what is live.',
  )
}

export function printConflicts(conflicts: readonly { path: string; reason: string }[]): void {
  for (const { path, reason } of conflicts) printError(`conflict: ${cell(path, process.stderr)}: ${reason}`)
}
