// `palimpsest recover`: rebuilds a lost or damaged catalog from the repositories.

import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { restrictNewFiles } from '../../processes/data-dir.js'
import { recoverCatalog } from '../../repository/backup/recover.js'
import { loadConfig } from '../../processes/config/config.js'
import { printError } from '../terminal/printable.js'
import { type Progress, startProgress } from '../terminal/progress.js'
import { assertOwnUser } from './own-data-dir.js'

export function addRecover(program: Command): void {
  program
    .command('recover')
    .summary('make a lost catalog anew from the repositories')
    .description(
      'make a lost or damaged catalog anew from the repositories: sites and ids, but no keys; stop the service first',
    )
    .option('--workspace <name>', 'put all sites into one workspace; default: a workspace for each site')
    .action(recover)
}

async function recover({ workspace }: { workspace?: string }): Promise<void> {
  const config = loadConfig(process.env)
  assertOwnUser(config.dataDir)
  restrictNewFiles(config)
  let bar: Progress | undefined
  let recovered = 0
  let unserved = 0
  let failed = 0
  await recoverCatalog(config.dataDir, {
    clock: () => new Date(),
    newId: randomUUID,
    workspace,
    progress: {
      begin: (repositories) => (bar = startProgress(`Reading ${repositories} repositories`, repositories)),
      recovered: (slug, isServed) => {
        recovered++
        if (!isServed) unserved++
        const but = `, and not served, since its .site.json names another site: palimpsest fsck ${slug}`
        bar?.advance(`${slug} recovered${isServed ? '' : but}`)
      },
      adopted: (slug, requests) =>
        printError(`${slug}: ${requests} change request(s) recovered, as drafts of the operator`),
      failed: (slug, reason) => (failed++, bar?.advance(`${slug} is left out: ${reason}`)),
    },
  })
  bar?.done(`${recovered} sites recovered, ${failed} left out. Make new keys: keys create --workspace <name>`)
  if (failed + unserved > 0) process.exitCode = 1
}
