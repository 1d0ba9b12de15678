// `palimpsest rm`: unpublishes pages and deletes files.

import type { Command } from 'commander'
import { dataOf } from '../../protocols/client/client.js'
import { announceSite } from '../connection/announce-site.js'
import { type AuthorOptions, connect, type Connection, forAuthors } from '../connection/connection.js'
import { Unusable } from '../connection/unusable.js'
import { isUuid } from '../../model/ids.js'
import { cell, printError } from '../terminal/printable.js'
import { type DryRun, printDryRun, printWarnings } from './dry-run.js'
import { Report } from './report.js'

interface Options extends AuthorOptions {
  dryRun?: true
}

type Outcome = 'removed'

export function addRemove(program: Command): void {
  forAuthors(program.command('rm <paths...>'))
    .description('unpublish pages and delete files; their versions stay, and a rollback brings them back')
    .option('--dry-run', 'remove nothing: show which links would break')
    .action(remove)
}

async function remove(paths: string[], options: Options): Promise<void> {
  const connection = await connect(options)
  const targets = []
  for (const path of paths) targets.push(await find(connection, path))
  await announceSite(connection, options.dryRun === true ? 'Trying to remove from' : 'Removing from', options)
  const report = new Report<Outcome>('Removing', targets.length, ['removed'], options)
  const shown: DryRun[] = []
  try {
    for (const target of targets) {
      const dryRun = await target.remove(true)
      if (options.dryRun !== true) {
        printWarnings(dryRun)
        await target.remove(false)
      } else if (dryRun !== undefined) shown.push(dryRun)
      report.add({ path: target.path, outcome: 'removed' })
    }
  } finally {
    report.close(shown.length > 0 ? { dryRuns: shown } : {})
  }
  if (options.json || options.dryRun !== true) return
  for (const dryRun of shown) printDryRun(dryRun, false)
  printError('Dry run: nothing was removed.')
}

interface Target {
  path: string
  remove(dryRun: boolean): Promise<DryRun | undefined>
}

/** Finds the published page at the path or with the id, else the file at the path. Throws Unusable if there is neither. */
async function find({ client }: Connection, pathOrId: string): Promise<Target> {
  const page = isUuid(pathOrId)
    ? dataOf(await client.GET('/pages/{id}', { params: { path: { id: pathOrId } } }))
    : dataOf(await client.GET('/pages', { params: { query: { path: pathOrId, limit: 1 } } }))[0]
  if (page !== undefined)
    return {
      path: cell(page.path),
      remove: async (dryRun) => {
        const params = { path: { id: page.id }, ...(dryRun && { query: { dryRun } }) }
        return dataOf(await client.DELETE('/pages/{id}', { params })).dryRun
      },
    }
  const [file] = dataOf(await client.GET('/files', { params: { query: { path: pathOrId, limit: 1 } } }))
  if (file === undefined) throw new Unusable(`The site has neither a page nor a file at ${pathOrId}.`)
  return {
    path: cell(file.path),
    remove: async (dryRun) => {
      const params = { query: { path: file.path, ...(dryRun && { dryRun }) } }
      return dataOf(await client.DELETE('/files', { params })).dryRun
    },
  }
}
