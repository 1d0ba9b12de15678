// `palimpsest sites`: lists and creates sites over the API.

import { type Command } from 'commander'
import { type DataOf, dataOf, entriesOf } from '../../protocols/client/client.js'
import { type AuthorOptions, connectToWorkspace } from '../connection/connection.js'
import { importFromUrl, type ImportOptions } from '../remotes/import-site.js'
import { withCredentials } from '../remotes/ask-credentials.js'
import { timeCell } from '../terminal/age.js'
import { cell, printJson } from '../terminal/printable.js'
import { printTable } from '../terminal/table.js'

export type SitesOptions = Pick<AuthorOptions, 'workspace' | 'json'>
export type ListedSite = Pick<DataOf<'/sites/{id}', 'get'>, 'id' | 'slug' | 'workspaceId' | 'createdAt'>

/** Adds the commands that need no access to the server. */
export function addSitesOverApi(program: Command): void {
  const sites = program.command('sites').description('create, list and import sites')
  forWorkspace(
    sites.command('create <slug>').description('create a site and print its id; with a key that has admin'),
  ).action(createOverApi)
  forWorkspace(sites.command('list').description('list the sites that the key sees')).action(listOverApi)
  const importing = forWorkspace(
    sites.command('import <url>').description('create a site from a repository, with its history'),
  )
    .option('--slug <slug>', 'the slug of the site; default: the name of the repository')
    .option('--no-wait', 'do not wait until the site is live')
  withCredentials(importing).action(async (url: string, options: ImportOptions) => await importFromUrl(url, options))
}

export async function createOverApi(slug: string, options: SitesOptions): Promise<void> {
  const client = await connectToWorkspace(options)
  const site = dataOf(await client.POST('/sites', { body: { slug } }))
  if (options.json) return printJson(site)
  console.log(site.id)
}

export async function listOverApi(options: SitesOptions): Promise<void> {
  const client = await connectToWorkspace(options)
  const sites: ListedSite[] = []
  for await (const site of entriesOf((slice) => client.GET('/sites', { params: { query: { ...slice, limit: 1000 } } })))
    sites.push(site)
  printSites(sites, options)
}

export function printSites(sites: readonly ListedSite[], { json }: SitesOptions): void {
  if (json) return printJson(sites)
  printTable(
    ['id', 'slug', 'workspace', 'created'],
    sites.map(({ id, slug, workspaceId, createdAt }) => [id, cell(slug), workspaceId, timeCell(createdAt)]),
  )
}

function forWorkspace(command: Command): Command {
  return command
    .option('--workspace <name or id>', "default: the key's own")
    .option('--json', 'print JSON, for programs')
}
