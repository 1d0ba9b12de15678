// Asks which site a folder is for, where neither the command nor a link says it: an existing one, or a new one. The answer is kept as a link.

import { homedir } from 'node:os'
import { basename, dirname, relative, resolve, sep } from 'node:path'
import { isSlug, nearestSlug } from '../../model/hosts/slug.js'
import { holdsScope } from '../../model/rights/scopes.js'
import { type ApiClient, type DataOf, dataOf, entriesOf, Refusal } from '../../protocols/client/client.js'
import { type AuthorOptions, connectToWorkspace } from '../connection/connection.js'
import { findLinkedSite, linkFolder } from '../connection/linked-site.js'
import { askLine, choose } from '../terminal/ask.js'
import { isAsked } from '../terminal/confirm.js'
import { cell, printError } from '../terminal/printable.js'

interface Options extends AuthorOptions {
  yes?: true
  dryRun?: true
}

const NEW = 'new…'
/** Folders that builds make: the folder around one has the name of the project. */
const OF_BUILDS = /^(?:_?site|dist|build|out|output|public|html|www)$/i
/** The service judges the name; these are worth another try. */
const WRONG_SLUG: ReadonlySet<string> = new Set(['invalid_slug', 'reserved_slug', 'slug_taken'])

/** Returns false if the person has ended it. Asks nothing where the site is known, or nobody can answer. */
export async function askForSite(folder: string, options: Options): Promise<boolean> {
  if (options.site !== undefined || !isAsked(options) || findLinkedSite(folder) !== undefined) return true
  const client = await connectToWorkspace(options)
  const { scopes, key } = dataOf(await client.GET('/me'))
  const mayMake = options.dryRun !== true && key.sites === null && holdsScope(scopes, 'sites')
  const sites = await listSites(client)
  if (sites.length === 0 && !mayMake) return true
  const chosen = sites.length === 0 ? NEW : await chooseSite(sites, mayMake)
  const slug = chosen === NEW ? await makeSite(client, suggestSlug(folder)) : chosen
  if (slug === undefined) return false
  const file = linkFolder(placeOfLink(folder), slug)
  printError(`Commands in ${cell(dirname(file), process.stderr)} mean ${slug} now (${basename(file)}).`)
  return true
}

type Site = DataOf<'/sites', 'get'>[number]

async function listSites(client: ApiClient): Promise<Site[]> {
  const sites: Site[] = []
  for await (const site of entriesOf((slice) => client.GET('/sites', { params: { query: { ...slice, limit: 1000 } } })))
    sites.push(site)
  return sites
}

async function chooseSite(sites: readonly Site[], mayMake: boolean): Promise<string | undefined> {
  const known = sites.map(({ name, slug, url }) => ({
    value: slug,
    label: name === null ? slug : `${cell(name, process.stderr)} (${slug})`,
    hint: cell(url, process.stderr),
  }))
  return await choose('Which site?', [...known, ...(mayMake ? [{ value: NEW, label: NEW, isAlways: true }] : [])])
}

/** Asks for a name until the service takes one. */
async function makeSite(client: ApiClient, suggested: string): Promise<string | undefined> {
  for (let name: string | undefined = suggested; ; ) {
    name = await askLine('Name of the new site, which is part of its address', name, (typed) =>
      isSlug(typed) ? undefined : 'Use lower-case letters, digits and single hyphens, at most 40.',
    )
    if (name === undefined) return undefined
    try {
      return dataOf(await client.POST('/sites', { body: { slug: name } })).slug
    } catch (error) {
      if (!(error instanceof Refusal) || !WRONG_SLUG.has(error.code)) throw error
      printError(error.message)
    }
  }
}

/** Makes a slug out of the name of the folder; empty if nothing of it fits. */
export function suggestSlug(folder: string): string {
  const path = resolve(folder)
  return nearestSlug(OF_BUILDS.test(basename(path)) ? basename(dirname(path)) : basename(path)) ?? ''
}

/** Returns the folder to link: the current one if it holds the published one, which builds may empty. A home folder holds all projects. */
export function placeOfLink(folder: string, current = process.cwd(), home = homedir()): string {
  const way = relative(current, resolve(current, folder))
  const isWithin = way.split(sep)[0] !== '..' && resolve(current, way).startsWith(current)
  return isWithin && current !== home && current !== dirname(current) ? current : resolve(current, folder)
}
