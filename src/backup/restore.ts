// Makes a data directory from a backup: the same workspaces, keys, sites, ids and commits. The index is derived anew.

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openCatalog } from '../catalog/catalog.js'
import { lockDataDir } from '../catalog/sqlite/data-dir-lock.js'
import type { Site } from '../catalog/sites.js'
import { syncDirectory, syncFilesystem } from '../git/disk/durable.js'
import { type Clock, toSeconds } from '../model/clock.js'
import { ServiceError } from '../model/errors.js'
import { DiskRepositories } from '../store/disk/disk-repositories.js'
import { BACKUP_FORMAT, backupOf, CATALOG, MANIFEST, type Manifest } from './backup.js'

/** What a fresh checkout or a refused start may have left in a data directory. */
const HARMLESS = /^(?:README\.md|serve\.lock\.db(?:-wal|-shm)?|lost\+found)$/

export interface RestoreProgress {
  begin(sites: number): void
  restored(site: Site): void
  /** Deleted while the backup ran, or never copied: the site is marked as deleted. */
  missing(site: Site): void
}

/**
 * Fills `dataDir`, which must be empty, from `dir`. Every object is checked on the way. The catalog comes last: without
 * it a directory is no service's, so one that is interrupted is emptied and begun again. Durable when it resolves.
 */
export async function restore(dir: string, dataDir: string, clock: Clock, progress: RestoreProgress): Promise<void> {
  readManifest(dir)
  mkdirSync(dataDir, { recursive: true })
  refuseFull(dataDir)
  const unlock = lockDataDir(dataDir)
  try {
    const building = join(dataDir, '.restore')
    mkdirSync(building)
    copyFileSync(join(dir, CATALOG), join(building, CATALOG))
    const catalog = await openCatalog(building, { clock })
    try {
      const sites = await catalog.sites.listLive()
      progress.begin(sites.length)
      for (const site of sites) {
        if (await restoreSite(dir, dataDir, site, clock)) progress.restored(site)
        else {
          await catalog.sites.markDeleted(site.id)
          progress.missing(site)
        }
      }
    } finally {
      catalog.close()
    }
    syncFilesystem(dataDir)
    renameSync(join(building, CATALOG), join(dataDir, CATALOG))
    rmSync(building, { recursive: true })
    syncDirectory(dataDir)
  } finally {
    unlock()
  }
}

async function restoreSite(dir: string, dataDir: string, site: Site, clock: Clock): Promise<boolean> {
  const source = backupOf(dir, site.slug)
  if (!existsSync(source)) return false
  const imported = await new DiskRepositories(dataDir).import(source, site.id, toSeconds(clock()))
  imported.adopt(site.slug)
  return true
}

function readManifest(dir: string): Manifest {
  const file = join(dir, MANIFEST)
  if (!existsSync(file)) {
    throw new ServiceError(
      'not_found',
      `${dir} holds no whole backup: ${MANIFEST} is missing. Run "backup" to its end.`,
    )
  }
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  if (manifest.format === BACKUP_FORMAT) return manifest
  throw new ServiceError(
    'conflict',
    `${dir} is a backup of format ${manifest.format}; this program reads ${BACKUP_FORMAT}.`,
  )
}

function refuseFull(dataDir: string): void {
  const [first] = readdirSync(dataDir).filter((name) => !HARMLESS.test(name))
  if (first === undefined) return
  throw new ServiceError(
    'conflict',
    `${dataDir} is not empty (${first}): a backup is restored into an empty DATA_DIR, so that nothing is overwritten.`,
  )
}
