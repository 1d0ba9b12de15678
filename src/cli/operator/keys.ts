// `palimpsest keys`: create, list and revoke API keys. A key is printed once, by itself, and stored only as a hash.

import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Toolset, TOOLSETS } from '../../model/principal.js'
import { isScope, type Scope } from '../../model/rights/scopes.js'
import { createKey, listKeys, revokeKey } from '../../usecases/access/keys.js'
import { operatorCall } from '../../usecases/context/operator.js'
import { timeCell } from '../terminal/age.js'
import { printTable } from '../terminal/table.js'
import { findSites, findWorkspace, listAll, withOffline } from './offline.js'

interface CreateOptions {
  scopes: Scope[]
  label?: string
  workspace?: string
  sites?: string[]
  paths?: string[]
  origins?: string[]
  toolset?: Toolset
  expires?: string
}

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('create, list and revoke API keys')
  keys
    .command('create')
    .description('create a key and print it, once')
    .option('--scopes <list>', 'read, write, admin; separated by commas', parseScopes, ['read'])
    .option('--label <text>', 'the author of its commits (default: your name on this machine)')
    .option('--workspace <id or name>', 'default: the first workspace')
    .option('--sites <list>', 'slugs of the sites that it may see (default: all)', splitList)
    .option('--paths <list>', 'limit its writes to these paths, such as /about,/blog/*', splitList)
    .option('--origins <list>', 'limit its use to web pages of these origins, such as https://app.example', splitList)
    .addOption(new Option('--toolset <name>', 'the tools that its agents are offered').choices(TOOLSETS))
    .option('--expires <time>', 'when it expires: RFC 3339, such as 2027-01-31T00:00:00Z', parseTime)
    .action(create)
  keys
    .command('list')
    .description('list the keys of a workspace, without their secrets')
    .option('--workspace <id or name>', 'default: the first workspace')
    .action(list)
  keys
    .command('revoke <id>')
    .description('revoke a key: the next request with it is refused')
    .option('--with-minted', 'also revoke the keys that it made, and the keys made by those')
    .option('--workspace <id or name>', 'default: the first workspace')
    .action(revoke)
}

async function create({
  workspace: name,
  sites: slugs,
  label,
  scopes,
  paths = [],
  origins = [],
  toolset,
  expires,
}: CreateOptions): Promise<void> {
  await withOffline(async (services) => {
    const workspace = await findWorkspace(services.catalog, name)
    const sites = slugs === undefined ? null : (await findSites(services.catalog, slugs)).map(({ id }) => id)
    const context = operatorCall(workspace, 'keys create', services.newId)
    const limits = {
      sites,
      ...(paths.length > 0 && { paths }),
      ...(origins.length > 0 && { origins }),
      expiresAt: expires ?? null,
    }
    const { data } = await createKey(
      { ...services, ...context },
      { label: label ?? nameHere(), scopes, ...limits, toolset: toolset ?? null },
    )
    console.log(data.key)
  })
}

/** A history that names a person tells more than one that names a key. */
function nameHere(): string {
  return process.env['USER'] || 'api key'
}

async function list(options: { workspace?: string }): Promise<void> {
  await withOffline(async (services) => {
    const context = operatorCall(await findWorkspace(services.catalog, options.workspace), 'keys list', services.newId)
    const keys = await listAll((slice) => listKeys({ ...services, ...context }, slice))
    printTable(
      ['id', 'prefix', 'label', 'scopes', 'expires', 'last used'],
      keys.map(({ id, prefix, label, scopes, expiresAt, lastUsedAt }) => [
        id,
        prefix,
        label,
        scopes.join(','),
        timeCell(expiresAt),
        timeCell(lastUsedAt),
      ]),
    )
  })
}

async function revoke(id: string, options: { workspace?: string; withMinted?: true }): Promise<void> {
  await withOffline(async (services) => {
    const workspace = await findWorkspace(services.catalog, options.workspace)
    const context = operatorCall(workspace, 'keys revoke', services.newId)
    const { data } = await revokeKey({ ...services, ...context }, { id, withMinted: options.withMinted === true })
    for (const revoked of [data.id, ...data.minted]) console.log(`Revoked ${revoked}.`)
  })
}

function parseScopes(text: string): Scope[] {
  const scopes = splitList(text)
  const known = scopes.filter(isScope)
  if (known.length === 0 || known.length < scopes.length) {
    throw new InvalidArgumentError('Scopes are read, propose, write and admin.')
  }
  return known
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
}

function parseTime(text: string): string {
  if (Number.isNaN(Date.parse(text))) throw new InvalidArgumentError('Give a time such as 2027-01-31T00:00:00Z.')
  return text
}
