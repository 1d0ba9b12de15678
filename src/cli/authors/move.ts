// `palimpsest mv`: moves a page, a file, or a folder with all that is in it.

import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { dataOf, Refusal } from '../../protocols/client/client.js'
import { type AuthorOptions, type Connection, connect, forAuthors, siteOf } from '../connection/connection.js'
import { cell } from '../terminal/printable.js'
import { draftOption, draftQuery, type DraftQuery, printWritten, readQuery } from './draft.js'
import { printWarnings } from './dry-run.js'

interface Options extends AuthorOptions {
  draft?: true | string
  force?: boolean
  message?: string
  rewriteLinks?: boolean
}

/** Codes for a path that is no file's. */
const NO_FILE: ReadonlySet<string> = new Set(['file_not_found', 'invalid_path'])

export function addMove(program: Command): void {
  forAuthors(program.command('mv <from> <to>'))
    .summary('move a page, a file or a folder')
    .description(
      'move a page, a file, or a folder (/docs/); the old path of a file answers 404, other old paths redirect',
    )
    .option('--message <text>', 'the reason, recorded in the history')
    .addOption(draftOption())
    .option('--rewrite-links', 'also change the links to a page or folder that moves')
    .option('--force', 'take _redirects or _headers with wrong lines')
    .action(move)
}

async function move(from: string, to: string, options: Options): Promise<void> {
  const connection = await connect(options)
  const asked = { from, to, query: await draftQuery(connection, options) }
  if (from.length > 1 && from.endsWith('/')) return await moveFolder(connection, asked, options)
  try {
    await moveFile(connection, asked, options)
  } catch (error) {
    if (!(error instanceof Refusal) || !NO_FILE.has(error.code)) throw error
    if (!(await movePage(connection, asked, options))) throw error
  }
}

interface Move {
  from: string
  to: string
  /** The change request that moves it, in place of what is live. */
  query: DraftQuery
}

async function moveFile(connection: Connection, { from, to, query }: Move, options: Options): Promise<void> {
  const { client } = connection
  const { force, message } = options
  const body = { from, to, ...(force && { force }), ...reasonOf(message) }
  const header = { 'Idempotency-Key': randomUUID() }
  const params = { query: { path: from, dryRun: true, ...readQuery(query) } }
  printWarnings(dataOf(await client.DELETE('/files', { params })).dryRun)
  const answer = await client.POST('/files/move', { params: { header, query }, body })
  const written = dataOf(answer)
  // Rules files are never served: they have no URL.
  const words = wordsOf({ from, query }, written.path, written.url ?? undefined)
  await printWritten(connection, { written, answer: answer.data, words }, options)
}

/** Returns false if no page is there. */
async function movePage(connection: Connection, { from, to, query }: Move, options: Options): Promise<boolean> {
  const { client } = connection
  const [page] = dataOf(
    await client.GET('/pages', { params: { query: { path: from, limit: 1, ...readQuery(query) } } }),
  )
  if (page === undefined) return false
  const body = { path: to, ...linksOf(options), ...reasonOf(options.message) }
  const answer = await client.PATCH('/pages/{id}', { params: { path: { id: page.id }, query }, body })
  const written = dataOf(answer)
  const words = wordsOf({ from, query }, written.path, written.url)
  await printWritten(connection, { written, answer: answer.data, words }, options)
  return true
}

async function moveFolder(connection: Connection, { from, to, query }: Move, options: Options): Promise<void> {
  const { id } = await siteOf(connection)
  const params = { path: { id }, header: { 'Idempotency-Key': randomUUID() }, query }
  const body = { from, to, ...linksOf(options), ...reasonOf(options.message) }
  const answer = await connection.client.POST('/sites/{id}/moves', { params, body })
  const written = dataOf(answer)
  const { pages, files, path } = written
  const words = wordsOf({ from, query }, path, `${pages.length} pages and ${files.length} files moved.`)
  await printWritten(connection, { written, answer: answer.data, words }, options)
}

/** Says what the path is now. What a change request moves has no URL yet. */
function wordsOf({ from, query }: Pick<Move, 'from' | 'query'>, to: string, more?: string): string {
  const [before, after] = [cell(from), cell(to)]
  if (query.changeRequest !== undefined) return `${before} becomes ${after}.`
  return `${before} is ${after} now${more === undefined ? '.' : `: ${cell(more)}`}`
}

function linksOf({ rewriteLinks }: Options): { rewriteLinks?: true } {
  return rewriteLinks === true ? { rewriteLinks } : {}
}

function reasonOf(reason: string | undefined): { reason?: string } {
  return reason === undefined ? {} : { reason }
}
