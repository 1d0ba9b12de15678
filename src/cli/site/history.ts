// `palimpsest history`: lists the newest changes of a site, a page or a file, in a person's words.

import type { Command } from 'commander'
import { isUuid } from '../../model/ids.js'
import { type DataOf, dataOf } from '../../protocols/client/client.js'
import { type AuthorOptions, connect, type Connection, forAuthors, siteOf } from '../connection/connection.js'
import { Unusable } from '../connection/unusable.js'
import { timeCell } from '../terminal/age.js'
import { cell, printError, printJson } from '../terminal/printable.js'
import { printTable } from '../terminal/table.js'
import { wordsOfChange } from '../../model/change-words.js'

const MAX_SHOWN = 20
const SHOWN_DIGITS = 10

type Change = Pick<DataOf<'/sites/{id}/commits', 'get'>[number], 'id' | 'author' | 'agent' | 'createdAt' | 'message'>

export function addHistory(program: Command): void {
  forAuthors(program.command('history [page]'))
    .summary('show who changed the site, or a page, and when')
    .description(`show the newest ${MAX_SHOWN} changes of the site, of a page or of a file: who did what, and when`)
    .action(history)
}

async function history(page: string | undefined, options: AuthorOptions): Promise<void> {
  const connection = await connect(options)
  const changes = await changesOf(connection, page)
  if (options.json) return printJson(changes)
  const isShown = process.stdout.isTTY
  printTable(
    ['when', 'who', 'did', 'commit'],
    changes.map(({ id, author, agent, createdAt, message }) => [
      timeCell(createdAt),
      cell(agent?.name == null ? author : `${author} (${agent.name})`),
      cell(wordsOfChange(message)),
      isShown ? id.slice(0, SHOWN_DIGITS) : id,
    ]),
  )
  if (changes.length === MAX_SHOWN) printError(`These are the newest ${MAX_SHOWN}. The dashboard shows all.`)
}

/** Throws Unusable if there never was a page or file at the path. */
async function changesOf(connection: Connection, page: string | undefined): Promise<Change[]> {
  const { client } = connection
  const { id } = await siteOf(connection)
  const path = page !== undefined && isUuid(page) ? await pathOf(connection, page) : page
  const query = { limit: MAX_SHOWN, ...(path !== undefined && { path }) }
  const changes: Change[] = dataOf(await client.GET('/sites/{id}/commits', { params: { path: { id }, query } }))
  if (path === undefined || changes.length > 0) return changes
  const { data } = await client.GET('/files/versions', { params: { query: { path, limit: MAX_SHOWN } } })
  if (data === undefined) throw new Unusable(`The site never had a page or a file at ${path}.`)
  return data.data
}

async function pathOf({ client }: Connection, id: string): Promise<string> {
  return dataOf(await client.GET('/pages/{id}', { params: { path: { id } } })).path
}
