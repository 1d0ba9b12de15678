// `palimpsest reindex`: rebuilds the index from git, one site after the other. A running service continues to answer.

import type { Command } from 'commander'
import { SiteIndexes } from '../../index/site-index.js'
import type { Site } from '../../catalog/site.js'
import { removeRequestFiles } from '../../index/tables/site-file.js'
import { TextFiles } from '../../index/text/text-file.js'
import { SiteWalk } from '../../indexing/site-walk.js'
import { TextWalk } from '../../indexing/text/text-walk.js'
import { readSigners } from '../../repository/disk/signing-key.js'
import { findSites, withOffline } from './offline.js'
import { startProgress } from '../terminal/progress.js'

export function addReindex(program: Command): void {
  program
    .command('reindex')
    .summary('rebuild the index from git')
    .description('rebuild the index of pages, versions and records, and the text that is searched, from git')
    .argument('[sites...]', 'slugs or ids; all sites without one')
    .action(reindex)
}

async function reindex(names: string[]): Promise<void> {
  await withOffline(async ({ catalog, config, store }) => {
    const sites = await findSites(catalog, names)
    const indexes = new SiteIndexes(config.dataDir, { access: 'makes' })
    const texts = new TextFiles(config.dataDir)
    const progress = startProgress(`Reindexing ${sites.length} sites`, sites.length)
    const failed: Site[] = []
    for (const site of sites) {
      try {
        const repository = store.repositories.open(site)
        const index = indexes.of(site.id)
        const walk = new SiteWalk(repository, index, readSigners(config.dataDir))
        walk.startAnew()
        goToEnd(walk)
        // The next read of a change request makes its file again.
        removeRequestFiles(config.dataDir, site.id)
        texts.remove(site.id)
        const maxCharacters = config.maxSearchedCharacters
        goToEnd(new TextWalk({ maxCharacters, index, texts, repository }))
        progress.advance(`${site.slug} done`)
      } catch (error) {
        failed.push(site)
        progress.advance(`${site.slug} failed: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    indexes.close()
    texts.close()
    progress.done(`${sites.length - failed.length} of ${sites.length} sites reindexed`)
    if (failed.length > 0) process.exitCode = 1
  })
}

function goToEnd(walk: SiteWalk | TextWalk): void {
  try {
    while (!walk.advance());
  } finally {
    walk.close()
  }
}
