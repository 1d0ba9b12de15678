// What every command for authors begins with: the service at BASE_URL, the key, and the site that is meant.

import type { Command } from 'commander'
import { type ApiClient, createClient, type DataOf, entriesOf } from '../../client/client.js'
import { apiBaseUrl, requireApiKey } from '../credentials.js'
import { Unusable } from './explain.js'
import { patientFetch } from './patient-fetch.js'

type Site = DataOf<'/sites', 'get'>[number]

/** The options that every command for authors takes. */
export interface AuthorOptions {
  site?: string
  json?: true
}

export interface Connection {
  /** Its requests are about the site of `--site`. */
  client: ApiClient
  /** That site; undefined: the default site, which nobody has asked for yet. */
  named: Site | undefined
}

export function forAuthors(command: Command): Command {
  return command
    .option('--site <slug or id>', "default: the workspace's default site")
    .option('--json', 'print JSON, for programs')
}

/** Throws NoApiKey, Refusal, or Unusable for a site that the key does not see. */
export async function connect({ site }: AuthorOptions): Promise<Connection> {
  const baseUrl = apiBaseUrl(process.env)
  const access = { baseUrl, key: requireApiKey(process.env, baseUrl), fetch: patientFetch }
  const client = createClient(access)
  if (site === undefined) return { client, named: undefined }
  const named = await findSite(client, ({ id, slug }) => id === site || slug === site, `"${site}"`)
  return { client: createClient({ ...access, siteId: named.id }), named }
}

export async function siteOf({ client, named }: Connection): Promise<Site> {
  return named ?? (await findSite(client, ({ isDefault }) => isDefault, 'that is the default'))
}

async function findSite(client: ApiClient, isMeant: (site: Site) => boolean, name: string): Promise<Site> {
  const seen: string[] = []
  const read = (slice: { cursor?: string }) => client.GET('/sites', { params: { query: { ...slice, limit: 1000 } } })
  for await (const site of entriesOf(read)) {
    if (isMeant(site)) return site
    if (seen.length < 10) seen.push(site.slug)
  }
  throw new Unusable(`The key sees no site ${name}. It sees: ${seen.join(', ') || 'none'}.`)
}
