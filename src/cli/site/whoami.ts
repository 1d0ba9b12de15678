// `palimpsest whoami`: says as whom commands act here, what they may do, and where that is set.

import type { Command } from 'commander'
import { type DataOf, dataOf } from '../../protocols/client/client.js'
import { type AuthorOptions, connectToWorkspace } from '../connection/connection.js'
import { apiBaseUrl, sourceOfKey } from '../connection/credentials.js'
import { printJson } from '../terminal/printable.js'
import { printFacts } from '../terminal/table.js'

type Options = Pick<AuthorOptions, 'workspace' | 'json'>

export function addWhoami(program: Command): void {
  program
    .command('whoami')
    .summary('show who you are here, and what you may do')
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
  printFacts(factsOf(me, { service, source }))
}

function factsOf(
  { key, person, client, workspace, scopes }: DataOf<'/me', 'get'>,
  { service, source }: { service: string; source: string },
): [name: string, value: string][] {
  return [
    ['who', person === null ? `${key.label}, a key of the workspace` : person.name],
    ...(person === null ? [] : [['role', person.role] as [string, string]]),
    ...(client === null ? [] : [['program', client] as [string, string]]),
    ['may', scopes.join(', ')],
    ...(key.siteSlugs == null ? [] : [['only sites', key.siteSlugs.join(', ')] as [string, string]]),
    ...(key.paths === null ? [] : [['only paths', key.paths.join(' ')] as [string, string]]),
    ['workspace', workspace.name],
    ['service', service],
    ['key from', source],
  ]
}
