// `palimpsest sites`: lists and creates sites over the API.

import { type DataOf, dataOf, entriesOf } from '../../protocols/client/client.js'
import { type AuthorOptions, connectToWorkspace } from '../connection/connection.js'
import { cell, printJson } from '../terminal/printable.js'
import { printTable } from '../terminal/table.js'

export type SitesOptions = Pick<AuthorOptions, 'workspace' | 'json'>
export type ListedSite = Pick<DataOf<'/sites/{id}', 'get'>, 'id' | 'slug' | 'workspaceId' | 'createdAt'>

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
    sites.map(({ id, slug, workspaceId, createdAt }) => [id, cell(slug), workspaceId, createdAt]),
  )
}
