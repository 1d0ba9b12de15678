// `palimpsest versions`: lists the versions of a page.

import type { Command } from 'commander'
import { type DataOf, entriesOf } from '../../protocols/client/client.js'
import { printTable } from '../terminal/table.js'
import { type AuthorOptions, connect, forAuthors } from '../connection/connection.js'
import { findPageId } from '../connection/find-page.js'
import { timeCell } from '../terminal/age.js'
import { cell, printJson } from '../terminal/printable.js'

export function addVersions(program: Command): void {
  forAuthors(program.command('versions <page>').description('list the versions of a page, by path or id')).action(
    listVersions,
  )
}

async function listVersions(page: string, options: AuthorOptions): Promise<void> {
  const connection = await connect(options)
  const path = { id: await findPageId(connection, page) }
  const versions: DataOf<'/pages/{id}/versions/{version}', 'get'>[] = []
  const read = (slice: { cursor?: string }) =>
    connection.client.GET('/pages/{id}/versions', { params: { path, query: { ...slice, limit: 1000 } } })
  for await (const version of entriesOf(read)) versions.push(version)
  if (options.json) return printJson(versions)
  printTable(
    ['version', 'action', 'author', 'created', 'bytes', 'message'],
    versions.map(({ number, action, author, createdAt, size, message }) => [
      String(number),
      action,
      cell(author),
      timeCell(createdAt),
      String(size),
      cell(message.split('\n', 1)[0] ?? ''),
    ]),
  )
}
