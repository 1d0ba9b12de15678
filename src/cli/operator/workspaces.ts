// `palimpsest workspaces`: create and list workspaces. The API cannot: only the operator decides who has one.

import type { Command } from 'commander'
import { printTable } from '../terminal/table.js'
import { withOffline } from './offline.js'

export function addWorkspaces(program: Command): void {
  const workspaces = program.command('workspaces').description('create and list workspaces')
  workspaces
    .command('create <name>')
    .description('create a workspace and its default site, and print their ids')
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
