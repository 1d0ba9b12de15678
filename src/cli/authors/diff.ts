// `palimpsest diff`: two versions of a page, as `diff -u` compares them; coloured on a terminal.

import { styleText } from 'node:util'
import type { Command } from 'commander'
import { dataOf } from '../../client/client.js'
import { type AuthorOptions, connect, forAuthors } from './connection.js'
import { Unusable } from './explain.js'
import { findPageId } from './find-page.js'
import { printable, printJson } from './printable.js'

export function addDiff(program: Command): void {
  forAuthors(program.command('diff <page> [from] [to]'))
    .description('compare two versions of a page; without any, the newest with the one before')
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
    throw new Unusable('The versions are too large to be compared by the service: pull both, and compare them here.')
  process.stdout.write(process.stdout.isTTY ? inColour(printable(compared.unified)) : compared.unified)
}

/** As git colours it, unless NO_COLOR or the terminal forbids it. */
export function inColour(unified: string): string {
  if (!process.stdout.hasColors()) return unified
  return unified.split('\n').map(colourLine).join('\n')
}

function colourLine(line: string): string {
  if (line.startsWith('+++') || line.startsWith('---')) return styleText('bold', line)
  if (line.startsWith('@@')) return styleText('cyan', line)
  if (line.startsWith('+')) return styleText('green', line)
  return line.startsWith('-') ? styleText('red', line) : line
}
