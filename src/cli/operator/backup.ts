// `palimpsest backup` and `palimpsest restore`: copies everything that cannot be derived to a folder and back.

import { chmodSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import type { Command } from 'commander'
import { restrictNewFiles } from '../../processes/data-dir.js'
import { loadConfig } from '../../processes/config/config.js'
import { ServiceError } from '../../model/errors.js'
import { backUp, backupOf } from '../../repository/backup/backup.js'
import { restore, type Restored, type RestoreProgress } from '../../repository/backup/restore.js'
import { withOffline } from './offline.js'
import { assertOwnUser } from './own-data-dir.js'
import { readTwice } from './read-twice.js'
import { printError } from '../terminal/printable.js'
import { timeCell } from '../terminal/age.js'
import { printTable } from '../terminal/table.js'
import { type Progress, startProgress } from '../terminal/progress.js'

const REMEDY = 'docs/repair.md, "Two readers"'

export function addBackup(program: Command): void {
  program
    .command('backup <dir>')
    .summary('copy all into a folder; safe while the service runs')
    .description(
      'copy the catalog and every site into a folder; run it again to add what is new; safe while the service runs',
    )
    .option('--verify', 'also read each copy with isomorphic-git, and report differences')
    .action(runBackup)
  program
    .command('restore <dir>')
    .summary('fill an empty DATA_DIR from a backup')
    .description('fill an empty DATA_DIR from a backup; its keys and agents end')
    .option('--keep-keys', 'keep the keys and agents of the backup valid, also those revoked after it, and list them')
    .option('--resume-mirrors', 'keep mirrors on: only if this service replaces the one that was backed up')
    .action(runRestore)
}

async function runBackup(dir: string, { verify }: { verify?: true }): Promise<void> {
  await withOffline(async (services) => {
    refuseWithin(dir, services.config.dataDir)
    let bar: Progress | undefined
    const copied: string[] = []
    const { begunAt, failed } = await backUp(services, dir, {
      begin: (sites) => (bar = startProgress(`Backing up ${sites} site(s)`, sites)),
      copied({ slug }) {
        copied.push(slug)
        bar?.advance(`${slug} copied`)
      },
      failed: ({ slug }, why) => bar?.advance(`${slug} failed: ${why}`),
    })
    // A backup may be older than the restriction of file modes.
    for (const folder of ['sites', 'drafts'])
      chmodSync(join(dir, folder), services.config.dataGroup === undefined ? 0o700 : 0o750)
    bar?.done(
      `${dir} holds every write answered before ${begunAt}${failed.length === 0 ? '' : ', except of those sites'}`,
    )
    if (failed.length > 0) process.exitCode = 1
    if (verify === true) await verifyCopies(dir, copied)
  })
}

/** Compares what two readers find in the finished backup. A difference makes the exit code 1. */
async function verifyCopies(dir: string, slugs: readonly string[]): Promise<void> {
  const bar = startProgress(`Verifying ${slugs.length} site(s)`, slugs.length)
  let wrong = 0
  for (const slug of slugs) {
    const differences = await readTwice(slug, backupOf(dir, slug), bar)
    bar.advance(`${slug}: ${differences.length === 0 ? 'both readers agree' : `${differences.length} differences`}`)
    for (const what of differences) printError(`${slug}: ${what}`)
    if (differences.length > 0) wrong++
  }
  bar.done(wrong === 0 ? 'Both readers agree on all copies' : `${wrong} copies must not be relied on: ${REMEDY}`)
  if (wrong > 0) process.exitCode = 1
}

interface RestoreFlags {
  keepKeys?: true
  resumeMirrors?: true
}

async function runRestore(dir: string, flags: RestoreFlags): Promise<void> {
  const config = loadConfig(process.env)
  const { dataDir } = config
  refuseWithin(dir, dataDir)
  assertOwnUser(dataDir)
  restrictNewFiles(config)
  let bar: Progress | undefined
  const progress: RestoreProgress = {
    begin: (sites) => (bar = startProgress(`Restoring ${sites} sites`, sites)),
    restored: ({ slug }) => bar?.advance(`${slug} restored`),
    lost: ({ slug }, ids, why) => printError(`${slug}: change requests ${ids.join(', ')} are not restored: ${why}`),
    failed: ({ slug }, why) => bar?.advance(`${slug} is not restored: ${why}`),
  }
  const { failed, validKeys, heldMirrors, heldRequests } = await restore(dir, dataDir, {
    clock: () => new Date(),
    keepKeys: flags.keepKeys === true,
    resumeMirrors: flags.resumeMirrors === true,
    progress,
  })
  bar?.done(
    `${dataDir} is restored${failed.length === 0 ? ': start the service' : ', except for the sites named above'}`,
  )
  for (const { slug } of failed) {
    console.error(`Bring ${slug} back from a clone or another backup: sites import ${slug} <repository>`)
  }
  if (heldMirrors > 0)
    console.error(
      `${heldMirrors} mirror(s) are off until they are retried, in the dashboard or with: mirror retry --site <slug>`,
    )
  if (heldRequests > 0)
    console.error(
      `${heldRequests} change request(s) are not published at their times until somebody sets them again: changes --scheduled`,
    )
  if (flags.keepKeys !== true) console.error('The keys of the backup are revoked: make new ones with "keys create".')
  printValidKeys(validKeys)
  if (failed.length > 0) process.exitCode = 1
}

/** Lists the keys that are kept: a key that was revoked after the backup is valid again. */
function printValidKeys(validKeys: Restored['validKeys']): void {
  if (validKeys.length === 0) return
  console.error(
    'These keys are valid again, as when the backup began. Revoke each one that you revoked since: keys revoke <id>',
  )
  printTable(
    ['id', 'workspace', 'label', 'expires'],
    validKeys.map(({ workspace, key }) => [key.id, workspace.name, key.label, timeCell(key.expiresAt, 'never')]),
  )
}

/** Refuses a backup in the data directory, with which it would be lost. */
function refuseWithin(dir: string, dataDir: string): void {
  if (!`${resolve(dir)}${sep}`.startsWith(`${resolve(dataDir)}${sep}`)) return
  throw new ServiceError('conflict', `${dir} lies in DATA_DIR: choose a folder elsewhere, best on another disk.`)
}
