// `palimpsest undo`: takes commits of a site back, in one new commit.

import type { Command } from 'commander'
import { type DataOf, dataOf } from '../../protocols/client/client.js'
import { draftOption, draftQuery, printDraft, toldDraft, writtenDraft } from '../authors/draft.js'
import { printDryRun } from '../authors/dry-run.js'
import { announceSite } from '../connection/announce-site.js'
import { type AuthorOptions, connect, type Connection, forAuthors, siteOf } from '../connection/connection.js'
import { Unusable } from '../connection/unusable.js'
import { isAsked, isConfirmed } from '../terminal/confirm.js'
import { cell, printError, printJson } from '../terminal/printable.js'
import { printTable } from '../terminal/table.js'

interface Options extends AuthorOptions {
  backTo?: string
  draft?: true | string
  message?: string
  dryRun?: true
  yes?: true
}

type Undone = DataOf<'/sites/{id}/undo', 'post'>

export function addUndo(program: Command): void {
  forAuthors(program.command('undo [commits...]'))
    .summary('undo the newest commit, or others')
    .description(
      'undo commits of a site in a new commit, by default the newest of this key; a second undo brings it back',
    )
    .option(
      '--back-to <commit>',
      'take the site back to this commit, or only the paths that are named in place of commits',
    )
    .option('--message <text>', 'the reason, recorded in the history')
    .addOption(draftOption())
    .option('--dry-run', 'undo nothing: show what would change, with a preview')
    .option('--yes', 'do not ask')
    .action(undo)
}

async function undo(named: string[], options: Options): Promise<void> {
  const connection = await connect(options)
  const { id } = await siteOf(connection)
  await announceSite(connection, 'Undoing in', options)
  const { backTo, message: reason, dryRun = false } = options
  const wanted =
    backTo === undefined
      ? { commits: named.length > 0 ? named : [await newestOwn(connection, id)] }
      : { backTo, ...(named.length > 0 && { paths: named }) }
  const query = await draftQuery(connection, options)
  const send = async (isTrial: boolean) =>
    await connection.client.POST('/sites/{id}/undo', {
      params: { path: { id }, query: { ...query, ...(isTrial && { dryRun: true }) } },
      body: { ...wanted, ...(reason !== undefined && { reason }) },
    })
  if (isAsked(options) && !dryRun) {
    printChanges(dataOf(await send(true)))
    if (!(await isConfirmed('Undo this?'))) return printError('Nothing was undone.')
  }
  const answer = await send(dryRun)
  const undone = dataOf(answer)
  const draft = await writtenDraft(connection, answer.data)
  if (options.json) return printJson({ ...undone, ...toldDraft(draft) })
  if (dryRun) return printChanges(undone)
  const rows = undone.undone.map(({ id: oid, subject }) => ['undone', oid, cell(subject)])
  if (backTo !== undefined && undone.commit !== null) rows.push(['back to', backTo, `in the commit ${undone.commit}`])
  printTable(['', 'commit', 'subject'], rows)
  if (!undone.changed) printError('There was nothing to undo: the site is as it was.')
  if (draft !== undefined) printDraft(connection, draft)
}

/** Throws Unusable if the key has made no commit. */
async function newestOwn({ client }: Connection, id: string): Promise<string> {
  const params = { path: { id }, query: { author: 'me', limit: 1 } }
  const [newest] = dataOf(await client.GET('/sites/{id}/commits', { params }))
  if (newest === undefined)
    throw new Unusable('This key has made no commit in the site: name the commit to undo. The dashboard lists them.')
  return newest.id
}

/** Prints what a trial would undo, and the preview. */
function printChanges({ undone, dryRun }: Undone): void {
  for (const { id, subject, author, createdAt } of undone)
    printError(`${id.slice(0, 10)} ${cell(subject, process.stderr)} (${cell(author, process.stderr)}, ${createdAt})`)
  const count = dryRun?.files.length ?? 0
  printError(count === 1 ? '1 file would change.' : `${count} files would change.`)
  if (dryRun !== undefined) printDryRun(dryRun, false)
}
