// `palimpsest pull`: pages as files, in the layout of a clone, so that `publish` gives them their paths again.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { dataOf, entriesOf } from '../../client/client.js'
import { type AuthorOptions, connect, type Connection, forAuthors, siteOf } from '../connection/connection.js'
import { Unusable } from '../connection/explain.js'
import { findPageId } from '../connection/find-page.js'
import { fileOfPath } from './local-pages.js'
import { type Entry, Report } from './report.js'
import { doSideBySide } from './side-by-side.js'

interface Options extends AuthorOptions {
  output?: string
  version?: string
  force?: true
}

type Outcome = 'written' | 'unchanged'

export function addPull(program: Command): void {
  forAuthors(program.command('pull [pages...]'))
    .description('write pages, or all of a site, as files')
    .option('--output <folder>', 'default: one named as the site; - writes one page to standard output')
    .option('--version <version>', 'an earlier version of one page, to standard output')
    .option('--force', 'replace files that differ')
    .action(pull)
}

async function pull(names: string[], options: Options): Promise<void> {
  const toOutput = options.output === '-' || options.version !== undefined
  const [first, ...others] = names
  if (toOutput && (first === undefined || others.length > 0)) throw new Unusable('Name one page for standard output.')
  const connection = await connect(options)
  if (toOutput && first !== undefined) {
    process.stdout.write(await readHtml(connection, await findPageId(connection, first), options.version))
    return
  }
  const folder = options.output ?? (await siteOf(connection)).slug
  const ids = first === undefined ? await idsOfAll(connection) : await idsOf(connection, names)
  const report = new Report<Outcome>(`Pulling into ${folder}`, ids.length, ['written', 'unchanged'], options)
  try {
    await doSideBySide(ids, async (id) => {
      const { path, html = '' } = dataOf(await connection.client.GET('/pages/{id}', { params: { path: { id } } }))
      report.add(writePage(folder, path, html, options.force === true))
    })
  } finally {
    report.close()
  }
}

async function readHtml({ client }: Connection, id: string, version: string | undefined): Promise<string> {
  if (version === undefined) return dataOf(await client.GET('/pages/{id}', { params: { path: { id } } })).html ?? ''
  const params = { path: { id, version } }
  const { html } = dataOf(await client.GET('/pages/{id}/versions/{version}', { params }))
  if (html == null) throw new Unusable(`Version ${version} took the page away and has no html.`)
  return html
}

async function idsOfAll({ client }: Connection): Promise<string[]> {
  const ids: string[] = []
  const read = (slice: { cursor?: string }) => client.GET('/pages', { params: { query: { ...slice, limit: 1000 } } })
  for await (const { id } of entriesOf(read)) ids.push(id)
  return ids
}

async function idsOf(connection: Connection, names: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) ids.push(await findPageId(connection, name))
  return ids
}

/** Work of the user's own that is in the way stays, unless `force`. */
function writePage(folder: string, path: string, html: string, force: boolean): Entry<Outcome> {
  const name = fileOfPath(path)
  if (name === undefined)
    return { path, outcome: 'failed', message: 'is too long for a name of a file: pull it alone, with --output -' }
  const file = join(folder, name)
  if (existsSync(file)) {
    if (readFileSync(file).equals(Buffer.from(html))) return { path, outcome: 'unchanged', at: file }
    if (!force) return { path, outcome: 'failed', message: `${file} is there and differs: --force replaces it` }
  }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.part`, html)
  renameSync(`${file}.part`, file)
  return { path, outcome: 'written', at: file }
}
