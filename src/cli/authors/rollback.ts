// `palimpsest rollback`: restores an earlier version of a page as its newest version.

import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { dataOf } from '../../protocols/client/client.js'
import { type AuthorOptions, connect, forAuthors } from '../connection/connection.js'
import { Unusable } from '../connection/unusable.js'
import { findPageId } from '../connection/find-page.js'
import { cell } from '../terminal/printable.js'
import { draftOption, draftQuery, printWritten, readQuery } from './draft.js'

interface Options extends AuthorOptions {
  draft?: true | string
  message?: string
}

export function addRollback(program: Command): void {
  forAuthors(program.command('rollback <page> <version>'))
    .summary('restore an earlier version of a page')
    .description('restore an earlier version of a page as a new version; an unpublished page becomes live again')
    .option('--message <text>', 'the reason, recorded in the history')
    .addOption(draftOption())
    .action(rollBack)
}

const VERSION = /^(?:[1-9]\d{0,8}|[0-9a-f]{40})$/

async function rollBack(page: string, version: string, options: Options): Promise<void> {
  if (!VERSION.test(version))
    throw new Unusable(
      `${version} is no version: give its number or full commit id, as "palimpsest versions" lists them.`,
    )
  const connection = await connect(options)
  const query = await draftQuery(connection, options)
  const path = { id: await findPageId(connection, page, readQuery(query)) }
  const { message: reason } = options
  const answer = await connection.client.POST('/pages/{id}/rollback', {
    params: { path, header: { 'Idempotency-Key': randomUUID() }, query },
    body: { version, ...(reason !== undefined && { reason }) },
  })
  const rolledBack = dataOf(answer)
  const { path: at, url, changed } = rolledBack
  const outcome = changed === false ? `already is version ${version}` : `is version ${version} again`
  const place = query.changeRequest === undefined ? `: ${cell(url)}` : ''
  const words = `${cell(at)} ${outcome}, now as version ${rolledBack.version.number}${place}`
  await printWritten(connection, { written: rolledBack, answer: answer.data, words }, options)
}
