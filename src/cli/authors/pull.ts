// `palimpsest pull`: writes pages and files in the layout of a clone, so that `publish` gives them their paths again.

import { statSync } from 'node:fs'
import type { Command } from 'commander'
import { dataOf, entriesOf, Refusal } from '../../protocols/client/client.js'
import { type AuthorOptions, connect, type Connection, forAuthors, siteOf } from '../connection/connection.js'
import { isOfFile } from '../connection/explain.js'
import { Unusable } from '../connection/unusable.js'
import { findPageId } from '../connection/find-page.js'
import { ServiceError } from '../../model/errors.js'
import { isSlug } from '../../model/hosts/slug.js'
import { isUuid } from '../../model/ids.js'
import { treePathOfNewFile } from '../../model/paths/file-path.js'
import { doSideBySide } from '../../protocols/client/side-by-side.js'
import { fileOfPath } from '../local/page-files.js'
import { type Written, writeBelow } from '../local/write-file.js'
import { Report } from './report.js'

interface Options extends AuthorOptions {
  output?: string
  version?: string
  force?: true
}

type Outcome = 'written' | 'unchanged'
type Slice = { cursor?: string }

const TOO_LONG = 'is too long for a file name: pull it by itself, with --output -'

export function addPull(program: Command): void {
  forAuthors(program.command('pull [paths...]'))
    .summary('write pages and files into a folder')
    .description('write pages and files, by default all of a site, as a clone would hold them')
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
    const html = await readHtml(connection, await findPageId(connection, first), options.version)
    process.stdout.write(process.stdout.isTTY && !html.endsWith('\n') ? `${html}\n` : html)
    return
  }
  const folder = options.output ?? folderOf((await siteOf(connection)).slug)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new Unusable(`${folder} is a file: name another folder with --output.`)
  const targets = first === undefined ? await findAll(connection) : await findNamed(connection, names)
  const report = new Report<Outcome>(`Pulling into ${folder}`, targets.length, ['written', 'unchanged'], options)
  try {
    await doSideBySide(targets, async (target) => {
      report.add({ path: target.path, ...(await write(target, folder, options.force === true)) })
    })
  } finally {
    report.close()
  }
}

/** A page or a file of the site. */
interface Target {
  path: string
  isPage: boolean
  read: () => Promise<Uint8Array>
}

/** Writes one page or file. Its own faults do not stop the others. */
async function write({ path, isPage, read }: Target, folder: string, force: boolean): Promise<Written> {
  try {
    const name = isPage ? fileOfPath(path) : treePathOfNewFile(path)
    if (name === undefined) return { outcome: 'failed', message: TOO_LONG }
    return writeBelow(folder, name, await read(), { force })
  } catch (error) {
    const isItsOwn =
      error instanceof ServiceError || isOfFile(error) || (error instanceof Refusal && error.status === 404)
    if (isItsOwn) return { outcome: 'failed', message: error.message }
    throw error
  }
}

async function findAll(connection: Connection): Promise<Target[]> {
  const { client } = connection
  const targets: Target[] = []
  const readPages = (slice: Slice) => client.GET('/pages', { params: { query: { ...slice, limit: 1000 } } })
  for await (const page of entriesOf(readPages)) targets.push(pageTarget(connection, page))
  const readFiles = (slice: Slice) => client.GET('/files', { params: { query: { ...slice, limit: 1000 } } })
  for await (const { path } of entriesOf(readFiles)) targets.push(fileTarget(connection, path))
  return targets
}

/** Finds targets. A name is a page's path or id, or a file's path. Throws Unusable if there is neither. */
async function findNamed(connection: Connection, names: readonly string[]): Promise<Target[]> {
  const { client } = connection
  const targets: Target[] = []
  for (const name of names) {
    const [file] = isUuid(name)
      ? []
      : dataOf(await client.GET('/files', { params: { query: { path: name, limit: 1 } } }))
    if (file !== undefined) targets.push(fileTarget(connection, file.path))
    else {
      const id = await findPageId(connection, name)
      const [page] = dataOf(await client.GET('/pages', { params: { query: { id, limit: 1 } } }))
      if (page === undefined) throw new Unusable(`There is no page ${name}.`)
      targets.push(pageTarget(connection, page))
    }
  }
  return targets
}

function pageTarget(connection: Connection, { id, path }: { id: string; path: string }): Target {
  const read = async () => {
    try {
      return Buffer.from(await readHtml(connection, id, undefined))
    } catch (error) {
      const file = error instanceof Refusal && error.code === 'too_costly' ? fileOfPath(path) : undefined
      if (file === undefined) throw error
      // It is too large to be read as a page.
      return await readBytes(connection, `/${file}`)
    }
  }
  return { path, isPage: true, read }
}

function fileTarget(connection: Connection, path: string): Target {
  return { path, isPage: false, read: () => readBytes(connection, path) }
}

async function readBytes({ client }: Connection, path: string): Promise<Uint8Array> {
  const answer = await client.GET('/files/content', { params: { query: { path } }, parseAs: 'arrayBuffer' })
  if (answer.error !== undefined) throw new Refusal(answer.response, answer.error)
  return new Uint8Array(answer.data)
}

async function readHtml({ client }: Connection, id: string, version: string | undefined): Promise<string> {
  if (version === undefined) return dataOf(await client.GET('/pages/{id}', { params: { path: { id } } })).html ?? ''
  const params = { path: { id, version } }
  const { html } = dataOf(await client.GET('/pages/{id}/versions/{version}', { params }))
  if (html == null) throw new Unusable(`Version ${version} unpublished the page and has no html.`)
  return html
}

/** Returns the slug, which is a safe name of a folder; any other name is not from this service. */
function folderOf(slug: string): string {
  if (isSlug(slug)) return slug
  throw new Unusable('The service answered a site name that is not a slug: name the folder with --output.')
}
