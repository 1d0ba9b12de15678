// `palimpsest mv`: moves a page, a file, or a folder with all that is in it.

import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { dataOf, Refusal } from '../../protocols/client/client.js'
import { type AuthorOptions, type Connection, connect, forAuthors, siteOf } from '../connection/connection.js'
import { cell, printJson } from '../terminal/printable.js'
import { printWarnings } from './dry-run.js'

interface Options extends AuthorOptions {
  force?: boolean
  message?: string
  rewriteLinks?: boolean
}

/** Codes for a path that is no file's. */
const NO_FILE: ReadonlySet<string> = new Set(['file_not_found', 'invalid_path'])

export function addMove(program: Command): void {
  forAuthors(program.command('mv <from> <to>'))
    .description(
      'move a page, a file, or a folder (/docs/); the old path of a file answers 404, other old paths redirect',
    )
    .option('--message <text>', 'the reason, recorded in the history')
    .option('--rewrite-links', 'also change the links to a page or folder that moves')
    .option('--force', 'take _redirects or _headers with wrong lines')
    .action(move)
}

async function move(from: string, to: string, options: Options): Promise<void> {
  const connection = await connect(options)
  if (from.length > 1 && from.endsWith('/')) return await moveFolder(connection, { from, to }, options)
  try {
    await moveFile(connection, { from, to }, options)
  } catch (error) {
    if (!(error instanceof Refusal) || !NO_FILE.has(error.code)) throw error
    if (!(await movePage(connection, { from, to }, options))) throw error
  }
}

interface Paths {
  from: string
  to: string
}

async function moveFile({ client }: Connection, { from, to }: Paths, { force, json, message }: Options): Promise<void> {
  const body = { from, to, ...(force && { force }), ...reasonOf(message) }
  const header = { 'Idempotency-Key': randomUUID() }
  const params = { query: { path: from, dryRun: true } }
  printWarnings(dataOf(await client.DELETE('/files', { params })).dryRun)
  const moved = dataOf(await client.POST('/files/move', { params: { header }, body }))
  if (json) return printJson(moved)
  // Rules files are never served: they have no URL.
  console.log(`${cell(from)} is ${cell(moved.path)} now${moved.url == null ? '.' : `: ${cell(moved.url)}`}`)
}

/** Returns false if no page is there. */
async function movePage({ client }: Connection, { from, to }: Paths, options: Options): Promise<boolean> {
  const [page] = dataOf(await client.GET('/pages', { params: { query: { path: from, limit: 1 } } }))
  if (page === undefined) return false
  const body = { path: to, ...linksOf(options), ...reasonOf(options.message) }
  const moved = dataOf(await client.PATCH('/pages/{id}', { params: { path: { id: page.id } }, body }))
  if (options.json) printJson(moved)
  else console.log(`${cell(from)} is ${cell(moved.path)} now: ${cell(moved.url)}`)
  return true
}

async function moveFolder(connection: Connection, { from, to }: Paths, options: Options): Promise<void> {
  const { id } = await siteOf(connection)
  const params = { path: { id }, header: { 'Idempotency-Key': randomUUID() } }
  const body = { from, to, ...linksOf(options), ...reasonOf(options.message) }
  const moved = dataOf(await connection.client.POST('/sites/{id}/moves', { params, body }))
  if (options.json) return printJson(moved)
  const { pages, files, path } = moved
  console.log(`${cell(from)} is ${cell(path)} now: ${pages.length} pages and ${files.length} files moved.`)
}

function linksOf({ rewriteLinks }: Options): { rewriteLinks?: true } {
  return rewriteLinks === true ? { rewriteLinks } : {}
}

function reasonOf(reason: string | undefined): { reason?: string } {
  return reason === undefined ? {} : { reason }
}
