// `palimpsest rm`: unpublishes pages and deletes files.

import type { Command } from 'commander'
import { dataOf } from '../../protocols/client/client.js'
import { announceSite } from '../connection/announce-site.js'
import { type AuthorOptions, connect, type Connection, forAuthors } from '../connection/connection.js'
import { Unusable } from '../connection/unusable.js'
import { isUuid } from '../../model/ids.js'
import { cell, printError } from '../terminal/printable.js'
import {
  type ChangeRequest,
  draftOption,
  draftQuery,
  type DraftQuery,
  printDraft,
  readQuery,
  toldDraft,
  writtenDraft,
} from './draft.js'
import { type DryRun, printDryRun, printWarnings } from './dry-run.js'
import { Report } from './report.js'

interface Options extends AuthorOptions {
  draft?: true | string
  dryRun?: true
}

type Outcome = 'removed'

export function addRemove(program: Command): void {
  forAuthors(program.command('rm <paths...>'))
    .summary('unpublish pages and delete files')
    .description('unpublish pages and delete files; their versions stay, and a rollback brings them back')
    .addOption(draftOption())
    .option('--dry-run', 'remove nothing: show which links would break')
    .action(remove)
}

async function remove(paths: string[], options: Options): Promise<void> {
  const connection = await connect(options)
  const { dryRun: isTrial = false } = options
  let query = await draftQuery(connection, options)
  const targets = []
  for (const path of paths) targets.push(await find(connection, path, readQuery(query)))
  await announceSite(connection, isTrial ? 'Trying to remove from' : 'Removing from', options)
  const report = new Report<Outcome>('Removing', targets.length, ['removed'], options)
  const shown: DryRun[] = []
  let draft: ChangeRequest | undefined
  try {
    for (const target of targets) {
      const { dryRun } = await target.remove({ ...query, dryRun: true })
      if (!isTrial) {
        printWarnings(dryRun)
        const answer = await target.remove(query)
        draft ??= await writtenDraft(connection, answer)
        // The others go to the change request that the first one made.
        if (draft !== undefined) query = { changeRequest: draft.id }
      } else if (dryRun !== undefined) shown.push(dryRun)
      report.add({ path: target.path, outcome: 'removed' })
    }
  } finally {
    report.close({ ...(shown.length > 0 && { dryRuns: shown }), ...toldDraft(draft) })
    if (draft !== undefined && options.json !== true) printDraft(connection, draft)
  }
  if (options.json || !isTrial) return
  for (const dryRun of shown) printDryRun(dryRun, false)
  printError('Dry run: nothing was removed.')
}

interface Removed {
  dryRun?: DryRun | undefined
  changeRequest?: string
}

interface Target {
  path: string
  remove(query: DraftQuery & { dryRun?: true }): Promise<Removed>
}

/** Finds the published page at the path or with the id, else the file at the path. Throws Unusable if there is neither. */
async function find({ client }: Connection, pathOrId: string, where: DraftQuery): Promise<Target> {
  const page = isUuid(pathOrId)
    ? dataOf(await client.GET('/pages/{id}', { params: { path: { id: pathOrId }, query: where } }))
    : dataOf(await client.GET('/pages', { params: { query: { path: pathOrId, limit: 1, ...where } } }))[0]
  if (page !== undefined)
    return {
      path: cell(page.path),
      remove: async (query) => {
        const params = { path: { id: page.id }, query }
        return toRemoved(await client.DELETE('/pages/{id}', { params }))
      },
    }
  const [file] = dataOf(await client.GET('/files', { params: { query: { path: pathOrId, limit: 1, ...where } } }))
  if (file === undefined) throw new Unusable(`The site has neither a page nor a file at ${pathOrId}.`)
  return {
    path: cell(file.path),
    remove: async (query) => {
      const params = { query: { path: file.path, ...query } }
      return toRemoved(await client.DELETE('/files', { params }))
    },
  }
}

function toRemoved(answer: Parameters<typeof dataOf<Pick<Removed, 'dryRun'>>>[0] & { data?: DraftQuery }): Removed {
  const { dryRun } = dataOf(answer)
  const { changeRequest } = answer.data ?? {}
  return { dryRun, ...(changeRequest !== undefined && { changeRequest }) }
}
