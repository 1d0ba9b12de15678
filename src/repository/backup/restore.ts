// Makes a data directory from a backup: the same workspaces, keys, sites, ids and commits. The index is derived anew.

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { OPERATOR_CHAIN } from '../../catalog/audit/chain.js'
import { type Catalog, openCatalog } from '../../catalog/catalog.js'
import { type ApiKey, isUsable } from '../../catalog/api-key.js'
import { holdDataDir } from '../../catalog/sqlite/data-dir-lock.js'
import type { Site } from '../../catalog/site.js'
import type { Workspace } from '../../catalog/workspaces.js'
import { syncDirectory, syncFilesystem } from '../../git/disk/durable.js'
import { makeFolders } from '../../git/disk/make-folders.js'
import type { Clock } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { restoreDrafts, restoreRepository } from '../disk/import-repository.js'
import { allowedSignersIn } from '../disk/signing-key.js'
import {
  BACKUP_FORMAT,
  backupOf,
  CATALOG,
  copySigners,
  draftsBackupOf,
  MANIFEST,
  type Manifest,
  SIGNERS,
} from './backup.js'

/** Files that a fresh checkout or a refused start may have left in a data directory. */
const HARMLESS = /^(?:README\.md|serve\.lock\.db(?:-wal|-shm|-journal)?|lost\+found)$/

const RESTORED = 'restored.db'

export interface RestoreOptions {
  clock: Clock
  /** Keeps the keys valid, also those that were revoked after the backup; otherwise every key is revoked. */
  keepKeys: boolean
  /** Whether mirrors go on as soon as the service starts; otherwise each is off until it is retried. */
  resumeMirrors: boolean
  progress: RestoreProgress
}

export interface RestoreProgress {
  begin(sites: number): void
  restored(site: Site): void
  /** Reports change requests that are not restored: no row names them any more. */
  lost(site: Site, ids: readonly string[], why: string): void
  /** Reports a site that is not restored. Its id and slug are free: it can be imported with both. */
  failed(site: Site, why: string): void
}

export interface Restored {
  /** Sites that are not in the restored service. */
  failed: Site[]
  /** Keys that are valid now, also those that were revoked after the backup. */
  validKeys: { workspace: Workspace; key: ApiKey }[]
  /** Number of mirrors that are off. */
  heldMirrors: number
  /** Number of change requests that are not published at their times. */
  heldRequests: number
}

const MIRROR_IS_HELD =
  'The service was restored from a backup. Retry only if it replaces the service that was backed up: a trial copy must not push here.'

const TIMES_ARE_HELD =
  'The service was restored from a backup since, which does not know what people did later. Look at it, and set a time again.'

/**
 * Fills `dataDir`, which must be empty, from `dir`. Checks every object on the way; if one site cannot be restored, restores the others.
 * All sessions, sign-in links, invitations and links to a site's past end. Connected agents end unless keys are kept. Mirrors are off
 * unless they are to go on. Change requests with a time are held. The catalog is put in place last: after an interruption the directory holds no catalog, and must be emptied to
 * restore again. Durable when it resolves.
 */
export async function restore(dir: string, dataDir: string, options: RestoreOptions): Promise<Restored> {
  readManifest(dir)
  makeFolders(dataDir)
  refuseFull(dataDir)
  const release = holdDataDir(dataDir, 'alone')
  try {
    const building = join(dataDir, '.restore')
    mkdirSync(building)
    copyFileSync(join(dir, CATALOG), join(building, CATALOG))
    const catalog = await openCatalog(building, { clock: options.clock })
    let restored: Restored
    try {
      const failed = await restoreSites(dir, dataDir, catalog, options.progress)
      await catalog.sessions.endEverything()
      await catalog.invitations.endEverything()
      await catalog.links.endEverything()
      const heldMirrors = options.resumeMirrors ? 0 : await catalog.mirrors.holdBack(MIRROR_IS_HELD)
      const heldRequests = await catalog.schedules.holdAll({ code: 'restored', reason: TIMES_ARE_HELD })
      if (!options.keepKeys) await catalog.agents.endEverything()
      restored = { failed, validKeys: await settleKeys(catalog, options), heldMirrors, heldRequests }
      await catalog.audit.record({
        workspaceId: OPERATOR_CHAIN,
        actor: { kind: 'operator', id: 'operator' },
        action: 'service.restore',
        target: 'service',
        details: {
          keepKeys: options.keepKeys,
          resumeMirrors: options.resumeMirrors,
          failed: failed.map(({ id }) => id),
        },
      })
      // Closing the catalog leaves changes in SQLite's log next to the file.
      catalog.copyTo(join(building, RESTORED))
    } finally {
      await catalog.close()
    }
    // By these the service recognizes its older commits. It signs with a new key from now on.
    copySigners(join(dir, SIGNERS), allowedSignersIn(dataDir))
    syncFilesystem(dataDir)
    renameSync(join(building, RESTORED), join(dataDir, CATALOG))
    rmSync(building, { recursive: true })
    syncDirectory(dataDir)
    return restored
  } finally {
    release()
  }
}

/** Restores the sites; returns those that could not be restored. */
async function restoreSites(
  dir: string,
  dataDir: string,
  catalog: Catalog,
  progress: RestoreProgress,
): Promise<Site[]> {
  const sites = await catalog.sites.listLive()
  progress.begin(sites.length)
  const failed: Site[] = []
  for (const site of sites) {
    try {
      const source = backupOf(dir, site.slug)
      if (!existsSync(source)) throw new Error('it is not in the backup')
      await restoreRepository(dataDir, source, site)
      await restoreRequests(dir, dataDir, catalog, site, progress)
      progress.restored(site)
    } catch (error) {
      await catalog.sites.release(site.id)
      failed.push(site)
      progress.failed(site, error instanceof Error ? error.message : String(error))
    }
  }
  return failed
}

/**
 * Restores the change requests that the catalog names. Those that began after the catalog was copied are left out, and those whose branch
 * was removed since lose their rows.
 */
async function restoreRequests(
  dir: string,
  dataDir: string,
  { changeRequests }: Catalog,
  site: Site,
  progress: RestoreProgress,
): Promise<void> {
  const ids = await changeRequests.listIds(site.id)
  if (ids.length === 0) return
  let restored: string[] = []
  let why = 'they are not in the backup'
  try {
    restored = await restoreDrafts(dataDir, draftsBackupOf(dir, site.slug), site, ids)
  } catch (error) {
    why = error instanceof Error ? error.message : String(error)
  }
  const lost = ids.filter((id) => !restored.includes(id))
  for (const id of lost) await changeRequests.remove(id)
  if (lost.length > 0) progress.lost(site, lost, why)
}

/** Revokes all keys unless the operator keeps them. Returns the keys that are valid afterwards. */
async function settleKeys(catalog: Catalog, { clock, keepKeys }: RestoreOptions): Promise<Restored['validKeys']> {
  const valid: Restored['validKeys'] = []
  for (const workspace of await catalog.workspaces.list()) {
    for (const key of await catalog.keys.list(workspace.id)) {
      if (!keepKeys) await catalog.keys.revoke(workspace.id, key.id)
      else if (isUsable(key, clock())) valid.push({ workspace, key })
    }
  }
  return valid
}

function readManifest(dir: string): Manifest {
  const file = join(dir, MANIFEST)
  if (!existsSync(file)) {
    throw new ServiceError(
      'not_found',
      `${dir} holds no complete backup: ${MANIFEST} is missing. Run "backup" to its end.`,
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
