// `palimpsest publish`: a file, or a folder of files, as pages.

import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Command } from 'commander'
import { dataOf, Refusal } from '../../client/client.js'
import { type AuthorOptions, connect, type Connection, forAuthors } from './connection.js'
import { explainRefusal, Unusable } from './explain.js'
import { type LocalPage, pagesOfFolder, pathOfFile } from './local-pages.js'
import { type Entry, Report } from './report.js'
import { doSideBySide } from './side-by-side.js'

interface Options extends AuthorOptions {
  path?: string
}

type Outcome = 'created' | 'replaced' | 'unchanged'

export function addPublish(program: Command): void {
  forAuthors(program.command('publish <source>'))
    .description('publish a file, or all .html files of a folder, as pages; - is standard input')
    .option('--path <path>', "the page's path; for a folder: what its pages are below")
    .action(publish)
}

async function publish(source: string, options: Options): Promise<void> {
  const pages = findPages(source, options.path)
  const connection = await connect(options)
  const report = new Report<Outcome>(
    `Publishing ${source}`,
    pages.length,
    ['created', 'replaced', 'unchanged'],
    options,
  )
  try {
    await doSideBySide(pages, async (page) => report.add(await publishPage(connection, page)))
  } finally {
    report.close()
  }
}

function findPages(source: string, path: string | undefined): LocalPage[] {
  if (source === '-') {
    if (path === undefined) throw new Unusable('Say where standard input is to be published: --path /about.')
    return [{ file: source, path }]
  }
  const stat = statSync(source, { throwIfNoEntry: false })
  if (stat === undefined) throw new Unusable(`There is no ${source}.`)
  if (!stat.isDirectory()) return [{ file: source, path: path ?? pathOfOneFile(source) }]
  const { pages, others } = pagesOfFolder(source, path ?? '')
  if (pages.length === 0) throw new Unusable(`There is no .html file in ${source}.`)
  if (others > 0) console.error(`${others} other files are left out: assets are published with "git push".`)
  return pages
}

function pathOfOneFile(file: string): string {
  if (file.endsWith('.html')) return pathOfFile(basename(file))
  throw new Unusable(`${file} does not end in .html: say where it is to be published, with --path /about.`)
}

/** What concerns this page alone becomes its entry; what would stop every other too is thrown. */
async function publishPage({ client }: Connection, { file, path }: LocalPage): Promise<Entry<Outcome>> {
  const bytes = file === '-' ? await buffer(process.stdin) : readFileSync(file)
  if (bytes.length === 0) return { path, outcome: 'failed', message: `${file} is empty` }
  if (!isUtf8(bytes)) return { path, outcome: 'failed', message: `${file} is not UTF-8: save it so` }
  try {
    const answer = await client.PUT('/pages', { params: { query: { path } }, body: { html: bytes.toString() } })
    const { path: at, url, changed } = dataOf(answer)
    const outcome = changed === false ? 'unchanged' : answer.response.status === 201 ? 'created' : 'replaced'
    return { path: at, outcome, at: url }
  } catch (error) {
    if (!(error instanceof Refusal) || !concernsOnePage(error)) throw error
    return { path, outcome: 'failed', message: explainRefusal(error) }
  }
}

function concernsOnePage({ status }: Refusal): boolean {
  return status < 500 && status !== 401 && status !== 403
}
