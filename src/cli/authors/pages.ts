// `palimpsest pages`: lists the pages of a site.

import type { Command } from 'commander'
import { entriesOf } from '../../protocols/client/client.js'
import { printTable } from '../terminal/table.js'
import { type AuthorOptions, connect, forAuthors } from '../connection/connection.js'
import type { Page } from '../connection/find-page.js'
import { timeCell } from '../terminal/age.js'
import { cell, printJson } from '../terminal/printable.js'

interface Options extends AuthorOptions {
  prefix?: string
  search?: string
  status?: 'published' | 'unpublished' | 'all'
}

export function addPages(program: Command): void {
  forAuthors(program.command('pages').description('list the pages of a site'))
    .option('--prefix <path>', 'only those below a path')
    .option('--search <text>', 'only those with this text in path or title')
    .option('--status <status>', 'published (default), unpublished or all')
    .action(listPages)
}

async function listPages({ prefix, search, status, ...options }: Options): Promise<void> {
  const { client } = await connect(options)
  const query = {
    limit: 1000,
    ...(prefix !== undefined && { prefix }),
    ...(search !== undefined && { q: search }),
    ...(status !== undefined && { status }),
  }
  const pages: Page[] = []
  for await (const page of entriesOf((slice) => client.GET('/pages', { params: { query: { ...query, ...slice } } })))
    pages.push(page)
  if (options.json) return printJson(pages)
  printTable(
    ['path', 'title', 'version', 'updated', 'url'],
    pages.map(({ path, title, version, updatedAt, url }) => [
      cell(path),
      cell(title ?? ''),
      String(version.number),
      timeCell(updatedAt),
      cell(url),
    ]),
  )
}
