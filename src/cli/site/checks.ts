// `palimpsest checks`: lists broken links and what else is wrong in a site.

import type { Command } from 'commander'
import { type DataOf, dataOf } from '../../protocols/client/client.js'
import { type AuthorOptions, connect, forAuthors, siteOf } from '../connection/connection.js'
import { cell, printError, printJson } from '../terminal/printable.js'
import { printTable } from '../terminal/table.js'

type Finding = DataOf<'/sites/{id}/checks', 'get'>['findings'][number]

export function addChecks(program: Command): void {
  forAuthors(program.command('checks'))
    .summary('list broken links and other faults')
    .description('list broken links and other faults of a site; ends with 1 if there are any')
    .action(check)
}

async function check(options: AuthorOptions): Promise<void> {
  const connection = await connect(options)
  const { id } = await siteOf(connection)
  const checked = dataOf(await connection.client.GET('/sites/{id}/checks', { params: { path: { id } } }))
  const { findings, complete } = checked
  if (findings.length > 0) process.exitCode = 1
  if (options.json) return printJson(checked)
  printTable(['code', 'path', 'message'], findings.map(rowOf))
  if (findings.length === 0) printError('Nothing is wrong.')
  if (!complete) printError('The check stopped at its limits: there may be more.')
}

/** A broken link is shown at the first page that has it. */
function rowOf({ code, path, message, pages = [] }: Finding): string[] {
  const [page] = pages
  return [code, cell(page === undefined ? path : `${page.path}:${page.line}`), cell(message)]
}
