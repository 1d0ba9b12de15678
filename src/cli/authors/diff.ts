// `palimpsest diff`: compares two versions of a page as `diff -u` does.

import type { Command } from 'commander'
import { dataOf } from '../../protocols/client/client.js'
import { type AuthorOptions, connect, forAuthors } from '../connection/connection.js'
import { Unusable } from '../connection/unusable.js'
import { findPageId } from '../connection/find-page.js'
import { printJson } from '../terminal/printable.js'
import { printUnified } from '../terminal/unified-diff.js'

export function addDiff(program: Command): void {
  forAuthors(program.command('diff <page> [from] [to]'))
    .summary('compare two versions of a page')
    .description('compare two versions of a page; by default the newest with the one before')
    .action(diff)
}

async function diff(
  page: string,
  from: string | undefined,
  to: string | undefined,
  options: AuthorOptions,
): Promise<void> {
  const connection = await connect(options)
  const path = { id: await findPageId(connection, page) }
  const query = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const compared = dataOf(await connection.client.GET('/pages/{id}/diff', { params: { path, query } }))
  if (options.json) return printJson(compared)
  if (compared.unified === null)
    throw new Unusable('The versions are too large for the service to compare: pull both and compare them here.')
  printUnified(compared.unified)
}
