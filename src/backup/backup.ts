// Copies everything that cannot be derived into a folder, beside a running service: the catalog and every live site's
// repository. Every write answered before it began is in it.

import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Catalog } from '../catalog/catalog.js'
import type { Site } from '../catalog/sites.js'
import { syncDirectory, syncFilesystem, writeFileDurable } from '../git/disk/durable.js'
import { type Clock, toSeconds, toTimestamp } from '../model/clock.js'
import type { Store } from '../store/store.js'

/** `<dir>/manifest.json`: a folder without it is no backup. */
export const MANIFEST = 'manifest.json'
export const CATALOG = 'catalog.db'
export const BACKUP_FORMAT = 1
/** git spends most of its time starting. */
const AT_ONCE = 4

export interface Manifest {
  format: number
  /** Every write answered before this is in the backup. */
  begunAt: string
  /** Slugs of the sites whose repository could not be copied: an older copy, or none, stands in their place. */
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

/** Where a site lies in a backup. */
export function backupOf(dir: string, slug: string): string {
  return join(dir, 'sites', `${slug}.git`)
}

/** Durable when it resolves; until then `dir` holds the backup that it held before, or none. */
export async function backUp(parts: BackupParts, dir: string, progress: BackupProgress): Promise<Manifest> {
  const begunAt = toTimestamp(toSeconds(parts.clock()))
  mkdirSync(join(dir, 'sites'), { recursive: true })
  // The catalog first: what it calls live has its repository by now, and is copied after.
  const before = await parts.catalog.sites.listLive()
  rmSync(join(dir, `${CATALOG}.new`), { force: true })
  parts.catalog.copyTo(join(dir, `${CATALOG}.new`))
  const sites = new Map([...before, ...(await parts.catalog.sites.listLive())].map((site) => [site.id, site]))
  progress.begin(sites.size)
  const failed = await copySites(parts, dir, [...sites.values()], progress)
  const manifest = { format: BACKUP_FORMAT, begunAt, failed }
  complete(dir, manifest)
  return manifest
}

/** The slugs of those that could not be copied. */
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
      await store.repositories.backUp(site, backupOf(dir, site.slug))
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

/** Everything on the disk before the names that make it the backup, and the manifest last. */
function complete(dir: string, manifest: Manifest): void {
  const file = join(dir, `${MANIFEST}.new`)
  rmSync(file, { force: true })
  writeFileDurable(file, Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`))
  syncFilesystem(dir)
  renameSync(join(dir, `${CATALOG}.new`), join(dir, CATALOG))
  renameSync(file, join(dir, MANIFEST))
  syncDirectory(dir)
}
