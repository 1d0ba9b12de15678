// `palimpsest keys`: make, list and revoke API keys. A key is printed once, alone, and kept only as a hash.

import { type Command, InvalidArgumentError } from 'commander'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { hashKey, mintKey, prefixOf } from '../../model/key-format.js'
import type { Scope } from '../../model/principal.js'
import { findSites, findWorkspace, withOffline } from './offline.js'
import { printTable } from '../terminal/table.js'

interface CreateOptions {
  scopes: Scope[]
  label: string
  workspace?: string
  sites?: string[]
  expires?: string
}

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('make, list and revoke API keys')
  keys
    .command('create')
    .description('make a key and print it, once')
    .option('--scopes <list>', 'read, write, admin; separated by commas', parseScopes, ['read'])
    .option('--label <text>', 'the name that its commits carry as author', 'api key')
    .option('--workspace <id or name>', 'default: the first workspace')
    .option('--sites <list>', 'slugs of the only sites it may see', splitList)
    .option('--expires <time>', 'when it ends: RFC 3339, such as 2027-01-31T00:00:00Z', parseTime)
    .action(createKey)
  keys
    .command('list')
    .description('list the keys of a workspace, without the secrets')
    .option('--workspace <id or name>')
    .action(listKeys)
  keys
    .command('revoke <id>')
    .description('revoke a key: the next request with it is refused')
    .option('--workspace <id or name>')
    .action(revokeKey)
}

async function createKey(options: CreateOptions): Promise<void> {
  await withOffline(async ({ catalog, clock, newId }) => {
    const workspace = await findWorkspace(catalog, options.workspace)
    const sites = options.sites === undefined ? null : await findSites(catalog, options.sites)
    const foreign = sites?.find((site) => site.workspaceId !== workspace.id)
    if (foreign !== undefined) {
      throw new ServiceError('site_not_found', `The site "${foreign.slug}" belongs to another workspace.`)
    }
    const key = mintKey()
    await catalog.keys.create({
      id: newId(),
      workspaceId: workspace.id,
      label: options.label,
      prefix: prefixOf(key),
      hash: hashKey(key),
      scopes: options.scopes,
      sites: sites?.map(({ id }) => id) ?? null,
      expiresAt: options.expires ?? null,
      createdAt: toTimestamp(toSeconds(clock())),
    })
    console.log(key)
  })
}

async function listKeys(options: { workspace?: string }): Promise<void> {
  await withOffline(async ({ catalog }) => {
    const workspace = await findWorkspace(catalog, options.workspace)
    const keys = await catalog.keys.list(workspace.id)
    printTable(
      ['id', 'prefix', 'label', 'scopes', 'expires', 'last used'],
      keys.map((key) => [
        key.id,
        key.prefix,
        key.label,
        key.scopes.join(','),
        key.expiresAt ?? '-',
        key.lastUsedAt ?? '-',
      ]),
    )
  })
}

async function revokeKey(id: string, options: { workspace?: string }): Promise<void> {
  await withOffline(async ({ catalog }) => {
    const workspace = await findWorkspace(catalog, options.workspace)
    if (!(await catalog.keys.revoke(workspace.id, id))) {
      throw new ServiceError(
        'key_not_found',
        `The workspace has no such key, or it is revoked already. See "keys list".`,
      )
    }
    console.log(`Revoked ${id}.`)
  })
}

function parseScopes(text: string): Scope[] {
  const scopes = splitList(text)
  const known = scopes.filter((scope): scope is Scope => scope === 'read' || scope === 'write' || scope === 'admin')
  if (known.length === 0 || known.length < scopes.length) {
    throw new InvalidArgumentError('Scopes are read, write and admin.')
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
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new InvalidArgumentError('Give a time such as 2027-01-31T00:00:00Z.')
  return toTimestamp(Math.floor(time / 1000))
}
