// `palimpsest maintain`: does by hand what a running service does by itself once a site has many packs.

import type { Command } from 'commander'
import { findSites, withOffline } from './offline.js'
import { startProgress } from '../terminal/progress.js'

export function addMaintain(program: Command): void {
  program
    .command('maintain')
    .description('repack and write the commit graph; safe while the service runs')
    .argument('[sites...]', 'slugs or ids; all sites without one')
    .action(maintain)
}

async function maintain(names: string[]): Promise<void> {
  await withOffline(async ({ catalog, store }) => {
    const sites = await findSites(catalog, names)
    const progress = startProgress(`Maintaining ${sites.length} sites`, sites.length)
    let failed = 0
    for (const site of sites) {
      try {
        const done = await store.repositories.maintain(site)
        progress.advance(done ? `${site.slug} done` : `${site.slug} skipped: git gc is running there`)
      } catch (error) {
        failed++
        progress.advance(`${site.slug} failed: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    progress.done(`${sites.length - failed} of ${sites.length} sites maintained`)
    if (failed > 0) process.exitCode = 1
  })
}
