// `palimpsest changes publish`: publishes a change request, now or at a time.

import type { Command } from 'commander'
import { dataOf } from '../../protocols/client/client.js'
import { findChangeRequest } from '../authors/draft.js'
import { printDryRun } from '../authors/dry-run.js'
import { announceSite } from '../connection/announce-site.js'
import { type AuthorOptions, type Connection, connect, forAuthors } from '../connection/connection.js'
import { Unusable } from '../connection/unusable.js'
import { printError, printJson } from '../terminal/printable.js'
import { readTime } from './read-time.js'

interface Options extends AuthorOptions {
  at?: string
  cancel?: true
  dryRun?: true
}

export function addPublish(changes: Command): void {
  forAuthors(changes.command('publish <number>').description('publish it as one commit, which one undo takes back'))
    .option('--at <time>', 'publish it later: "2026-12-01 09:00" here, or 2026-12-01T09:00+01:00')
    .option('--cancel', 'take its time back: it stays open')
    .option('--dry-run', 'publish nothing: show conflicts, and which links would break')
    .action(publish)
}

async function publish(name: string, options: Options): Promise<void> {
  const { at: time, cancel, dryRun = false, json } = options
  if (cancel === true && (time !== undefined || dryRun)) throw new Unusable('Give --cancel alone.')
  const at = time === undefined ? undefined : readTime(time)
  const connection = await connect(options)
  const { id, number } = await findChangeRequest(connection, name)
  const doing = cancel === true ? ['Keeping open', 'of'] : dryRun ? ['Trying', 'on'] : ['Publishing', 'to']
  await announceSite(connection, doing.join(` change request ${number} `), options)
  if (cancel === true) return await cancelTime(connection, { id, json })
  const published = dataOf(
    await connection.client.POST('/change-requests/{id}/publish', {
      params: { path: { id } },
      body: { dryRun, ...(at !== undefined && { at }) },
    }),
  )
  if (json) return printJson(published)
  if (published.dryRun !== undefined) {
    printDryRun(published.dryRun, false)
    return printError('Dry run: nothing was published.')
  }
  const { commit, publishAt } = published
  const done = publishAt === undefined ? ['published', commit ?? ''] : ['scheduled', publishAt]
  console.log([done[0], String(number), done[1]].join('\t'))
}

async function cancelTime({ client }: Connection, { id, json }: { id: string; json?: boolean | undefined }) {
  const request = dataOf(await client.DELETE('/change-requests/{id}/schedule', { params: { path: { id } } }))
  if (json) return printJson(request)
  console.log([request.state, String(request.number)].join('\t'))
}
