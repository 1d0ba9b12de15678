// `palimpsest pull`: writes pages as files in the layout of a clone, so that `publish` gives them their paths again. What the
// service answers is not trusted: nothing is written outside of the folder.

import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { dataOf, entriesOf } from '../../client/client.js'
import { type AuthorOptions, connect, type Connection, forAuthors, siteOf } from '../connection/connection.js'
import { Unusable } from '../connection/explain.js'
import { findPageId } from '../connection/find-page.js'
import { isSlug } from '../../model/hosts/slug.js'
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
    .description('write pages, by default all pages of a site, as .html files')
    .option('--output <folder>', 'default: the slug of the site; - writes one page to standard output')
    .option('--version <version>', 'an earlier version of one page, to standard output')
    .option('--force', 'replace files that differ')
    .action(pull)
}

async function pull(names: string[], options: Options): Promise<void> {
  const toOutput = options.output === '-' || options.version !== undefined
  const [first, ...others] = names
  if (toOutput && (first === undefined || others.length > 0))
    throw new Unusable('Name exactly one page to write to standard output.')
  const connection = await connect(options)
  if (toOutput && first !== undefined) {
    process.stdout.write(await readHtml(connection, await findPageId(connection, first), options.version))
    return
  }
  const folder = options.output ?? folderOf((await siteOf(connection)).slug)
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
  if (html == null) throw new Unusable(`Version ${version} unpublished the page and has no html.`)
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

/** A file that differs is replaced only with `force`. */
function writePage(folder: string, path: string, html: string, force: boolean): Entry<Outcome> {
  const name = fileOfPath(path)
  if (name === undefined)
    return { path, outcome: 'failed', message: 'is too long for a file name: pull it by itself, with --output -' }
  const link = findLink(folder, name)
  if (link !== undefined) return { path, outcome: 'failed', message: `${link} is a symbolic link: remove it` }
  const file = join(folder, name)
  if (existsSync(file)) {
    if (readFileSync(file).equals(Buffer.from(html))) return { path, outcome: 'unchanged', at: file }
    if (!force) return { path, outcome: 'failed', message: `${file} exists and differs: --force replaces it` }
  }
  mkdirSync(dirname(file), { recursive: true })
  rmSync(`${file}.part`, { force: true })
  writeFileSync(`${file}.part`, html, { flag: 'wx' })
  renameSync(`${file}.part`, file)
  return { path, outcome: 'written', at: file }
}

/** A slug is a safe name of a folder; anything else is not from this service. */
function folderOf(slug: string): string {
  if (isSlug(slug)) return slug
  throw new Unusable('The service answered a site name that is not a slug: name the folder with --output.')
}

/** The first part of the path below the folder that is a symbolic link, which could lead outside. */
function findLink(folder: string, name: string): string | undefined {
  let path = folder
  for (const part of name.split('/')) {
    path = join(path, part)
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) return path
  }
  return undefined
}
