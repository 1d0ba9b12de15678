// `palimpsest maintain`: does by hand the maintenance that a running service does once a site has many packs.

import type { Command } from 'commander'
import { maintainDrafts } from '../../repository/disk/maintain-drafts.js'
import { maintainRepository } from '../../repository/disk/maintain.js'
import { findSites, withOffline } from './offline.js'
import { startProgress } from '../terminal/progress.js'

/** `gc.pid` counts for at most twelve hours, even when its process is gone. */
const BUSY = 'git gc or another maintenance is running there (gc.pid). Try again later'

export function addMaintain(program: Command): void {
  program
    .command('maintain')
    .summary('repack and prune; safe while the service runs')
    .description('repack, write the commit graph, and prune the change requests; safe while the service runs')
    .argument('[sites...]', 'slugs or ids; all sites without one')
    .action(maintain)
}

async function maintain(names: string[]): Promise<void> {
  await withOffline(async ({ catalog, store }) => {
    const sites = await findSites(catalog, names)
    const progress = startProgress(`Maintaining ${sites.length} sites`, sites.length)
    let done = 0
    for (const site of sites) {
      try {
        const isRepacked = await maintainRepository(store.repositories.gitdir(site))
        const isMaintained = (await maintainDrafts(store.repositories, site)) && isRepacked
        if (isMaintained) done++
        progress.advance(isMaintained ? `${site.slug} done` : `${site.slug} skipped: ${BUSY}`)
      } catch (error) {
        progress.advance(`${site.slug} failed: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    progress.done(`${done} of ${sites.length} sites maintained`)
    if (done < sites.length) process.exitCode = 1
  })
}
