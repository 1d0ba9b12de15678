// `palimpsest sites purge`: removes the repositories of deleted sites for good, with all that is stored about them but their slugs.

import { type Command, InvalidArgumentError } from 'commander'
import { dropRetired, listRetired, type RetiredRepository } from '../../repository/disk/retired-repositories.js'
import { retiredDraftsOf } from '../../repository/disk/site-folders.js'
import { sumBytes } from '../../repository/disk/stored-bytes.js'
import { Unusable } from '../connection/unusable.js'
import { formatBytes } from '../terminal/byte-count.js'
import { isAsked, isConfirmed } from '../terminal/confirm.js'
import { printError } from '../terminal/printable.js'
import { printTable } from '../terminal/table.js'
import { withOffline } from './offline.js'

const DAY_MS = 24 * 3600_000
const DEFAULT_DAYS = 30

interface PurgeOptions {
  olderThan: number
  yes?: true
}

export function addPurge(sites: Command): void {
  sites
    .command('purge')
    .description('remove the repositories of deleted sites for good; lists them and asks first; their slugs stay taken')
    .option('--older-than <days>', 'only those of sites deleted at least so many days ago', parseDays, DEFAULT_DAYS)
    .option('--yes', 'do not ask')
    .action(purge)
}

async function purge({ olderThan, yes }: PurgeOptions): Promise<void> {
  await withOffline(async ({ config: { dataDir }, catalog, clock, forgetLog }) => {
    const latest = clock().getTime() - olderThan * DAY_MS
    const ended = listRetired(dataDir).filter(({ retiredAt, isDropped }) => !isDropped && retiredAt.getTime() <= latest)
    if (ended.length === 0) return printError(`No deleted site of at least ${olderThan} days ago is kept.`)
    await printRetired(dataDir, ended)
    if (yes !== true) {
      if (!isAsked({})) throw new Unusable('Nothing was removed. To remove these for good, add --yes.')
      if (!(await isConfirmed('Remove these repositories for good?'))) return printError('Nothing was removed.')
    }
    for (const site of ended) {
      await catalog.sites.forgetDeleted(site.id)
      await forgetLog(site.id)
      // Comes last: after an interruption the next run finds the site again.
      await dropRetired(dataDir, site)
    }
    printError(
      `Removed ${ended.length}. A backup still has its copies: remove them from its folders sites/ and drafts/ too.`,
    )
  })
}

async function printRetired(dataDir: string, ended: readonly RetiredRepository[]): Promise<void> {
  const rows: string[][] = []
  for (const site of ended) {
    const bytes = (await sumBytes(site.gitdir)) + (await sumBytes(retiredDraftsOf(dataDir, site)))
    rows.push([site.slug, site.id, site.retiredAt.toISOString().slice(0, 10), formatBytes(bytes)])
  }
  printTable(['slug', 'id', 'deleted', 'size'], rows)
}

function parseDays(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('Give a number of days, such as 30.')
  return Number(text)
}
