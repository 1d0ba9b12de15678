// Connects a command for authors to the service: its address, the key, the workspace and the site.

import type { Command } from 'commander'
import { type ApiClient, createClient, type DataOf, entriesOf } from '../../protocols/client/client.js'
import { findAccess } from './access.js'
import { Unusable } from './unusable.js'
import { findLinkedSite } from './linked-site.js'
import { invocation } from '../terminal/invocation.js'

type Workspace = DataOf<'/accounts', 'get'>[number]
type Site = DataOf<'/sites', 'get'>[number]
type Slice = { cursor?: string }

/** The most sites or workspaces that an error names. */
const MAX_NAMED = 10

/** The options that every command for authors takes. */
export interface AuthorOptions {
  workspace?: string
  site?: string
  json?: true
}

export interface Connection {
  /** Sends requests about the named site, in the workspace of `--workspace`. */
  client: ApiClient
  /** The site of `--site`, or else of `palimpsest link`; undefined without both. */
  named: Site | undefined
}

export function forAuthors(command: Command): Command {
  return command
    .option('--workspace <name or id>', "default: the key's own")
    .option('--site <slug or id>', 'default: that of "link" for this folder, else the workspace\'s default site')
    .option('--json', 'print JSON, for programs')
}

/**
 * Connects to the site that the options name, or else the link of `folder`. Throws NoApiKey, Refusal, and Unusable for a workspace or site
 * that the key does not see.
 */
export async function connect({ workspace, site }: AuthorOptions, folder = '.'): Promise<Connection> {
  const access = await accessTo(workspace)
  const client = createClient(access)
  const linked = site === undefined ? findLinkedSite(folder) : undefined
  const name = site ?? linked?.slug
  if (name === undefined) return { client, named: undefined }
  const words = linked === undefined ? `"${name}"` : `"${name}", which ${linked.file} names`
  const isMeant = ({ id, slug }: Site) => id === name || slug === name
  const named = await findSite(client, isMeant, `The key sees no site ${words}.`)
  return { client: createClient({ ...access, siteId: named.id }), named }
}

/** Returns the words that a command in a message needs, so that a copy of it means the same site. */
export function siteOption({ named }: Connection): string {
  return named === undefined ? '' : ` --site ${named.slug}`
}

/** Connects without a site. Throws as `connect` does. */
export async function connectToWorkspace({ workspace }: Pick<AuthorOptions, 'workspace'>): Promise<ApiClient> {
  return createClient(await accessTo(workspace))
}

/** Finds the site that requests address: the named one, or else the default one, or else the only one that the key sees. */
export async function siteOf({ client, named }: Connection): Promise<Site> {
  const complaint = `The key sees no default site: add "--site <slug>", or run "${invocation()} link <slug>" in this folder.`
  return named ?? (await findSite(client, ({ isDefault }) => isDefault, complaint, { orOnly: true }))
}

async function accessTo(workspace: string | undefined) {
  const own = await findAccess(process.env)
  return workspace === undefined ? own : { ...own, workspaceId: await findWorkspaceId(createClient(own), workspace) }
}

/** Finds a workspace. Names are not unique: a name of several workspaces is refused. */
async function findWorkspaceId(client: ApiClient, nameOrId: string): Promise<string> {
  const seen: Workspace[] = []
  const read = (slice: Slice) => client.GET('/accounts', { params: { query: { ...slice, limit: 1000 } } })
  for await (const workspace of entriesOf(read)) {
    if (workspace.id === nameOrId) return workspace.id
    seen.push(workspace)
  }
  const [named, ...others] = seen.filter(({ name }) => name === nameOrId)
  if (named !== undefined && others.length === 0) return named.id
  const known = seen.slice(0, MAX_NAMED).map(({ name, id }) => `${name} (${id})`)
  const why = named === undefined ? 'The key sees no workspace' : 'The key sees more than one workspace'
  throw new Unusable(`${why} "${nameOrId}". It sees: ${known.join(', ')}.`)
}

/** Throws Unusable with the complaint. */
async function findSite(
  client: ApiClient,
  isMeant: (site: Site) => boolean,
  complaint: string,
  { orOnly = false } = {},
): Promise<Site> {
  const seen: Site[] = []
  const read = (slice: Slice) => client.GET('/sites', { params: { query: { ...slice, limit: 1000 } } })
  for await (const site of entriesOf(read)) {
    if (isMeant(site)) return site
    if (seen.length < MAX_NAMED) seen.push(site)
  }
  const [first, ...others] = seen
  if (orOnly && first !== undefined && others.length === 0) return first
  throw new Unusable(`${complaint} It sees: ${seen.map(({ slug }) => slug).join(', ') || 'none'}.`)
}
