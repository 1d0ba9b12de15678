// `palimpsest workspaces`: make and list workspaces. The API cannot: who may have one is the operator's word.

import type { Command } from 'commander'
import { withOffline } from './offline.js'
import { printTable } from '../terminal/table.js'

export function addWorkspaces(program: Command): void {
  const workspaces = program.command('workspaces').description('make and list workspaces')
  workspaces
    .command('create <name>')
    .description('make a workspace and its default site, and print the ids')
    .requiredOption('--site <slug>', 'the subdomain of its default site')
    .action(createWorkspace)
  workspaces.command('list').description('list all workspaces').action(listWorkspaces)
}

async function createWorkspace(name: string, options: { site: string }): Promise<void> {
  await withOffline(async ({ provisioner }) => {
    const { workspace, site } = await provisioner.createWorkspace(name, options.site)
    printTable(['workspace', 'site', 'slug'], [[workspace.id, site.id, site.slug]])
  })
}

async function listWorkspaces(): Promise<void> {
  await withOffline(async ({ catalog }) => {
    const all = await catalog.workspaces.list()
    printTable(
      ['id', 'name', 'default site', 'created'],
      all.map(({ id, name, defaultSiteId, createdAt }) => [id, name, defaultSiteId ?? '-', createdAt]),
    )
  })
}
