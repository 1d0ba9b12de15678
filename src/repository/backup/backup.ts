// Copies the catalog and every live site's repository into a folder, while the service runs. The backup holds every write that was answered
// before it began.

import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Catalog } from '../../catalog/catalog.js'
import type { Site } from '../../catalog/site.js'
import { syncDirectory, syncFilesystem, writeFileDurable } from '../../git/disk/durable.js'
import { makeFolders } from '../../git/disk/make-folders.js'
import { type Clock, toSeconds, toTimestamp } from '../../model/clock.js'
import { backUpDrafts, backUpSite } from '../disk/back-up.js'
import { allowedSignersIn } from '../disk/signing-key.js'
import type { Store } from '../store.js'

/** `<dir>/manifest.json` is written last: a folder without it is not a complete backup. */
export const MANIFEST = 'manifest.json'
export const CATALOG = 'catalog.db'
/** The public keys that sign the service's commits; the private one is in no backup. */
export const SIGNERS = 'allowed_signers'
export const BACKUP_FORMAT = 1
/** Sites to copy at a time: for a small site, git takes most of its time to start. */
const AT_ONCE = 4

export interface Manifest {
  format: number
  /** Every write answered before this is in the backup. */
  begunAt: string
  /** Slugs of the sites whose repository could not be copied: the folder holds an older copy of them, or none. */
  failed: string[]
}

export interface BackupParts {
  catalog: Catalog
  store: Store
  clock: Clock
}

export interface BackupProgress {
  begin(sites: number): void
  copied(site: Site): void
  failed(site: Site, why: string): void
}

/** Returns the folder of a site's repository in a backup. */
export function backupOf(dir: string, slug: string): string {
  return join(dir, 'sites', `${slug}.git`)
}

/** Returns the folder of the repository with a site's change requests in a backup. */
export function draftsBackupOf(dir: string, slug: string): string {
  return join(dir, 'drafts', `${slug}.git`)
}

/** Makes the backup, which is durable when this resolves; until then `dir` holds the former backup, or none. */
export async function backUp(parts: BackupParts, dir: string, progress: BackupProgress): Promise<Manifest> {
  const begunAt = toTimestamp(toSeconds(parts.clock()))
  for (const folder of ['sites', 'drafts']) makeFolders(join(dir, folder))
  // The catalog is copied first: every site that it calls live has its repository by then.
  const before = await parts.catalog.sites.listLive()
  rmSync(join(dir, `${CATALOG}.new`), { force: true })
  parts.catalog.copyTo(join(dir, `${CATALOG}.new`))
  const sites = new Map([...before, ...(await parts.catalog.sites.listLive())].map((site) => [site.id, site]))
  progress.begin(sites.size)
  const failed = await copySites(parts, dir, [...sites.values()], progress)
  copySigners(allowedSignersIn(parts.store.repositories.dataDir), join(dir, SIGNERS))
  const manifest = { format: BACKUP_FORMAT, begunAt, failed }
  complete(dir, manifest)
  return manifest
}

/** Copies the public signing keys, old ones included, if there are any. */
export function copySigners(source: string, target: string): void {
  if (!existsSync(source)) return
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(source, target)
}

/** Copies the sites; returns the slugs of those that could not be copied. */
async function copySites(
  { store }: BackupParts,
  dir: string,
  sites: Site[],
  progress: BackupProgress,
): Promise<string[]> {
  const failed: string[] = []
  const copyNext = async (): Promise<void> => {
    const site = sites.shift()
    if (site === undefined) return
    try {
      const siteTarget = backupOf(dir, site.slug)
      await backUpSite(store.repositories, site, siteTarget)
      await backUpDrafts(store.repositories, site, { target: draftsBackupOf(dir, site.slug), siteTarget })
      progress.copied(site)
    } catch (error) {
      failed.push(site.slug)
      progress.failed(site, error instanceof Error ? error.message : String(error))
    }
    return copyNext()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, copyNext))
  return failed.toSorted()
}

/** Syncs everything before the renames that complete the backup; the manifest is renamed last. */
function complete(dir: string, manifest: Manifest): void {
  const file = join(dir, `${MANIFEST}.new`)
  rmSync(file, { force: true })
  writeFileDurable(file, Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`))
  syncFilesystem(dir)
  renameSync(join(dir, `${CATALOG}.new`), join(dir, CATALOG))
  renameSync(file, join(dir, MANIFEST))
  syncDirectory(dir)
}
