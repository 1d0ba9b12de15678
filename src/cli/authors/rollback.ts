// `palimpsest rollback`: restores an earlier version of a page as its newest version.

import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { dataOf } from '../../protocols/client/client.js'
import { type AuthorOptions, connect, forAuthors } from '../connection/connection.js'
import { Unusable } from '../connection/unusable.js'
import { findPageId } from '../connection/find-page.js'
import { cell, printJson } from '../terminal/printable.js'

interface Options extends AuthorOptions {
  message?: string
}

export function addRollback(program: Command): void {
  forAuthors(program.command('rollback <page> <version>'))
    .description('restore an earlier version of a page as a new version; an unpublished page becomes live again')
    .option('--message <text>', 'the reason, recorded in the history')
    .action(rollBack)
}

const VERSION = /^(?:[1-9]\d{0,8}|[0-9a-f]{40})$/

async function rollBack(page: string, version: string, options: Options): Promise<void> {
  if (!VERSION.test(version))
    throw new Unusable(
      `${version} is no version: give its number or full commit id, as "palimpsest versions" lists them.`,
    )
  const connection = await connect(options)
  const path = { id: await findPageId(connection, page) }
  const { message: reason } = options
  const rolledBack = dataOf(
    await connection.client.POST('/pages/{id}/rollback', {
      params: { path, header: { 'Idempotency-Key': randomUUID() } },
      body: { version, ...(reason !== undefined && { reason }) },
    }),
  )
  if (options.json) return printJson(rolledBack)
  const { path: at, url, changed } = rolledBack
  const outcome = changed === false ? `already is version ${version}` : `is version ${version} again`
  console.log(`${cell(at)} ${outcome}, now as version ${rolledBack.version.number}: ${cell(url)}`)
}
