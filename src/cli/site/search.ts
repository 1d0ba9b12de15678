// `palimpsest search`: finds words in the pages of a site.

import type { Command } from 'commander'
import { dataOf } from '../../protocols/client/client.js'
import { type AuthorOptions, connect, forAuthors } from '../connection/connection.js'
import { cell, printError, printJson } from '../terminal/printable.js'
import { printTable } from '../terminal/table.js'

interface Options extends AuthorOptions {
  prefix?: string
}

const MAX_PAGES = 100

export function addSearch(program: Command): void {
  forAuthors(program.command('search <words...>'))
    .summary('find pages by their words')
    .description('find pages in which all of the words stand, with their lines')
    .option('--prefix <path>', 'only pages below a path')
    .action(search)
}

async function search(words: string[], { prefix, ...options }: Options): Promise<void> {
  const { client } = await connect(options)
  const query = { q: words.join(' '), limit: MAX_PAGES, ...(prefix !== undefined && { prefix }) }
  const found = dataOf(await client.GET('/search', { params: { query } }))
  if (options.json) return printJson(found)
  const rows = found.flatMap(({ path, title, lines }) =>
    lines.length === 0 ? [[path, '', title ?? '']] : lines.map(({ line, text }) => [path, String(line), text]),
  )
  printTable(
    ['path', 'line', 'text'],
    rows.map((row) => row.map((text) => cell(text))),
  )
  if (found.length === 0) printError('No page has all of these words.')
  if (found.length === MAX_PAGES) printError(`These are the first ${MAX_PAGES} pages: search for more words.`)
}
