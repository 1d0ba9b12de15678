// `palimpsest sites`: make, list and import sites.

import type { Command } from 'commander'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { parseSlug } from '../../model/hosts/slug.js'
import { importRepository } from '../../store/repositories/import-repository.js'
import { findWorkspace, type Offline, withOffline } from './offline.js'
import { printTable } from '../terminal/table.js'

interface WorkspaceOption {
  workspace?: string
}

export function addSites(program: Command): void {
  const sites = program.command('sites').description('make, list and import sites')
  sites
    .command('create <slug>')
    .description('make a site and print its id')
    .option('--workspace <id or name>', 'default: the first workspace')
    .action(createSite)
  sites
    .command('list')
    .description('list the sites of a workspace, or of all')
    .option('--workspace <id or name>')
    .action(listSites)
  sites
    .command('import <slug> <source>')
    .description('make a site from a repository folder, a bundle, or a URL, with its ids and history')
    .option('--workspace <id or name>', 'default: the first workspace')
    .option('--default', "make it the workspace's default site")
    .action(importSite)
}

async function createSite(slug: string, options: WorkspaceOption): Promise<void> {
  await withOffline(async ({ catalog, provisioner }) => {
    const workspace = await findWorkspace(catalog, options.workspace)
    console.log((await provisioner.createSite(workspace.id, slug)).id)
  })
}

async function listSites(options: WorkspaceOption): Promise<void> {
  await withOffline(async ({ catalog }) => {
    const only = options.workspace === undefined ? undefined : (await findWorkspace(catalog, options.workspace)).id
    const all = (await catalog.sites.listLive()).filter((site) => only === undefined || site.workspaceId === only)
    printTable(
      ['id', 'slug', 'workspace', 'created'],
      all.map(({ id, slug, workspaceId, createdAt }) => [id, slug, workspaceId, createdAt]),
    )
  })
}

async function importSite(slug: string, source: string, options: WorkspaceOption & { default?: true }): Promise<void> {
  await withOffline(async (parts) => {
    const id = await importAs(parts, parseSlug(slug), source, options)
    console.log(id)
  })
}

/** The row first, so that id and slug are ours; a crash before the rename leaves a row that the next start drops. */
async function importAs(
  { catalog, clock, config, newId }: Offline,
  slug: string,
  source: string,
  options: WorkspaceOption & { default?: true },
): Promise<string> {
  const workspace = await findWorkspace(catalog, options.workspace)
  const now = toSeconds(clock())
  const imported = await importRepository(config.dataDir, source, newId(), now)
  const site = { id: imported.siteId, workspaceId: workspace.id, slug, createdAt: toTimestamp(now) }
  try {
    await catalog.sites.reserve(site)
  } catch (error) {
    imported.drop()
    throw error
  }
  imported.adopt(slug)
  await catalog.sites.markLive(site)
  if (options.default === true) await catalog.workspaces.setDefaultSite(workspace.id, imported.siteId)
  return imported.siteId
}
