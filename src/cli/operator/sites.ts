// `palimpsest sites`: create, list, delete, purge and import sites, and choose a workspace's default site.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Argument, type Command } from 'commander'
import { recordAudit } from '../../usecases/context/audit.js'
import { operatorCall } from '../../usecases/context/operator.js'
import { createSite, deleteSite, listSites, updateSite } from '../../usecases/sites/sites.js'
import { Unusable } from '../connection/unusable.js'
import { withCredentials } from '../remotes/ask-credentials.js'
import { importFromUrl, type ImportOptions as RemoteImportOptions } from '../remotes/import-site.js'
import { createOverApi, type ListedSite, listOverApi, printSites, type SitesOptions } from '../site/sites.js'
import { printJson } from '../terminal/printable.js'
import { findSite, findWorkspace, listAll, withOffline, withStoppedService } from './offline.js'
import { isOnServer } from './own-data-dir.js'
import { addPurge } from './purge-sites.js'

interface ImportOptions extends RemoteImportOptions {
  default?: true
}

export function addSites(program: Command): void {
  const sites = program.command('sites').description('create, list, delete, purge and import sites')
  sites
    .command('create <slug>')
    .description('create a site and print its id; without DATA_DIR over the API, with a key that has admin')
    .option('--workspace <id or name>', "default: on the server the first one, over the API the key's own")
    .option('--json', 'print JSON, for programs')
    .action(create)
  sites
    .command('list')
    .description('list the sites of a workspace; without DATA_DIR over the API, those that the key sees')
    .option('--workspace <id or name>', "default: on the server all, over the API the key's own")
    .option('--json', 'print JSON, for programs')
    .action(list)
  sites
    .command('default <slug>')
    .description("make a site its workspace's default, for requests that name no site")
    .action(makeDefault)
  sites
    .command('repository <slug>')
    .addArgument(new Argument('<who>').choices(['public', 'private']))
    .description('choose who may clone a site; public shows all that was ever committed, also unpublished pages')
    .action(setRepository)
  sites
    .command('delete <slug>')
    .description('delete a site while the service is stopped; a running service does it by API and dashboard')
    .action(remove)
  addPurge(sites)
  const importing = sites
    .command('import <url-or-slug> [source]')
    .description(
      'create a site from a repository, with its ids and history: "import <url>" from anywhere, over the API with a key; "import <slug> <source>" on the server, from a folder, a bundle or a URL that git can read',
    )
    .option('--workspace <id or name>', "default: the key's own; on the server the first one")
    .option('--default', "on the server: make it the workspace's default site")
    .option('--slug <slug>', 'for a URL: the slug of the site; default: the name of the repository')
    .option('--no-wait', 'for a URL: do not wait until the site is live')
    .option('--json', 'of a URL: print JSON, for programs')
  withCredentials(importing).action(importSite)
}

async function create(slug: string, options: SitesOptions): Promise<void> {
  if (!isOnServer()) return await createOverApi(slug, options)
  await withOffline(async (services) => {
    const workspace = await findWorkspace(services.catalog, options.workspace)
    const { data } = await createSite(
      { ...services, ...operatorCall(workspace, 'sites create', services.newId) },
      { slug },
    )
    if (options.json) return printJson(data)
    console.log(data.id)
  })
}

async function list(options: SitesOptions): Promise<void> {
  if (!isOnServer()) return await listOverApi(options)
  await withOffline(async (services) => {
    const { catalog, newId } = services
    const workspaces =
      options.workspace === undefined
        ? await catalog.workspaces.list()
        : [await findWorkspace(catalog, options.workspace)]
    const sites: ListedSite[] = []
    for (const workspace of workspaces) {
      const context = operatorCall(workspace, 'sites list', newId)
      sites.push(...(await listAll((slice) => listSites({ ...services, ...context }, slice))))
    }
    printSites(sites, options)
  })
}

async function makeDefault(slug: string): Promise<void> {
  await withOffline(async (services) => {
    const { site, workspace } = await findSite(services.catalog, slug)
    const context = operatorCall(workspace, 'sites default', services.newId)
    await updateSite({ ...services, ...context }, { id: site.id, isDefault: true })
    console.log(`${site.slug} is the default site.`)
  })
}

async function setRepository(slug: string, who: 'public' | 'private'): Promise<void> {
  await withOffline(async (services) => {
    const { site, workspace } = await findSite(services.catalog, slug)
    const context = operatorCall(workspace, 'sites repository', services.newId)
    const { data } = await updateSite({ ...services, ...context }, { id: site.id, publicRepository: who === 'public' })
    const cloners = data.publicRepository ? 'Everybody' : 'Holders of a key for the site'
    console.log(`${cloners} may clone it: git clone ${data.cloneUrl}`)
  })
}

async function remove(slug: string): Promise<void> {
  await withStoppedService(async (services) => {
    const { site, workspace } = await findSite(services.catalog, slug)
    await deleteSite({ ...services, ...operatorCall(workspace, 'sites delete', services.newId) }, { id: site.id })
    console.log(
      `Deleted ${site.slug}. Its repository is kept aside in DATA_DIR until "sites purge", and its slug cannot be used again.`,
    )
  })
}

async function importSite(slug: string, source: string | undefined, options: ImportOptions): Promise<void> {
  if (source === undefined) return await importOverApi(slug, options)
  await withOffline(async (services) => {
    const workspace = await findWorkspace(services.catalog, options.workspace)
    const from = existsSync(source) ? resolve(source) : source
    const site = await services.provisioner.importSite(workspace.id, slug, from)
    if (options.default === true) await services.catalog.workspaces.setDefaultSite(workspace.id, site.id)
    const context = operatorCall(workspace, 'sites import', services.newId)
    const details = { slug, isDefault: options.default === true }
    await recordAudit({ ...services, ...context }, { action: 'site.import', target: `site ${site.id}`, details })
    console.log(site.id)
  })
}

/** Throws Unusable. */
async function importOverApi(url: string, options: ImportOptions): Promise<void> {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new Unusable('Give the https URL of a repository, or on the server a slug and a source.')
  if (options.default === true)
    throw new Unusable(
      '--default works on the server only: make the site the default in the dashboard once it is live.',
    )
  await importFromUrl(url, options)
}
