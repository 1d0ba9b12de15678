// `palimpsest mv`: moves a file that is no page.

import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { dataOf, Refusal } from '../../protocols/client/client.js'
import { type AuthorOptions, connect, forAuthors } from '../connection/connection.js'
import { Unusable } from '../connection/unusable.js'
import { cell, printJson } from '../terminal/printable.js'
import { printWarnings } from './dry-run.js'

interface Options extends AuthorOptions {
  force?: boolean
  message?: string
}

/** Codes for a path that is no file's. */
const NO_FILE: ReadonlySet<string> = new Set(['file_not_found', 'invalid_path'])

export function addMove(program: Command): void {
  forAuthors(program.command('mv <from> <to>'))
    .description('move a file, such as an image or a stylesheet; its old path answers 404')
    .option('--message <text>', 'the reason, recorded in the history')
    .option('--force', 'take _redirects or _headers with wrong lines')
    .action(move)
}

async function move(from: string, to: string, options: Options): Promise<void> {
  const { client } = await connect(options)
  const { force, message } = options
  const body = { from, to, ...(force && { force }), ...(message !== undefined && { reason: message }) }
  const header = { 'Idempotency-Key': randomUUID() }
  try {
    const params = { query: { path: from, dryRun: true } }
    printWarnings(dataOf(await client.DELETE('/files', { params })).dryRun)
    const moved = dataOf(await client.POST('/files/move', { params: { header }, body }))
    if (options.json) return printJson(moved)
    // Rules files are never served: they have no URL.
    console.log(`${cell(from)} is ${cell(moved.path)} now${moved.url == null ? '.' : `: ${cell(moved.url)}`}`)
  } catch (error) {
    if (!(error instanceof Refusal) || !NO_FILE.has(error.code)) throw error
    const pages = dataOf(await client.GET('/pages', { params: { query: { path: from, limit: 1 } } }))
    if (pages.length === 0) throw error
    throw new Unusable(`${from} is a page. Pages cannot be moved yet: publish it at ${to} and remove ${from}.`)
  }
}
