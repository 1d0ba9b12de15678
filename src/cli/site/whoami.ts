// `palimpsest whoami`: says as whom commands act here, what they may do, and where that is set.

import type { Command } from 'commander'
import { type DataOf, dataOf } from '../../protocols/client/client.js'
import { type AuthorOptions, connectToWorkspace } from '../connection/connection.js'
import { apiBaseUrl, sourceOfKey } from '../connection/credentials.js'
import { cell, printJson } from '../terminal/printable.js'
import { printTable } from '../terminal/table.js'

type Options = Pick<AuthorOptions, 'workspace' | 'json'>

export function addWhoami(program: Command): void {
  program
    .command('whoami')
    .description('show as whom commands act here, what they may do, and where their key comes from')
    .option('--workspace <name or id>', "default: the key's own")
    .option('--json', 'print JSON, for programs')
    .action(showSelf)
}

async function showSelf(options: Options): Promise<void> {
  const client = await connectToWorkspace(options)
  const me = dataOf(await client.GET('/me'))
  const service = apiBaseUrl(process.env)
  const source = sourceOfKey(process.env)
  if (options.json) return printJson({ ...me, service, source })
  printTable(
    ['', ''],
    rowsOf(me, { service, source }).map((row) => row.map((text) => cell(text))),
  )
}

function rowsOf(
  { key, person, client, workspace, scopes }: DataOf<'/me', 'get'>,
  { service, source }: { service: string; source: string },
): string[][] {
  return [
    ['who', person === null ? `${key.label}, a key of the workspace` : person.name],
    ...(person === null ? [] : [['role', person.role]]),
    ...(client === null ? [] : [['program', client]]),
    ['may', scopes.join(', ')],
    ...(key.siteSlugs == null ? [] : [['only sites', key.siteSlugs.join(', ')]]),
    ...(key.paths === null ? [] : [['only paths', key.paths.join(' ')]]),
    ['workspace', workspace.name],
    ['service', service],
    ['key from', source],
  ]
}
