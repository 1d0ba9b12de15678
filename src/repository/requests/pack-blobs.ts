// Packs blobs of a change request for the repository of its site, with git, in a folder that the caller removes. The writer installs the
// pack with the commit, whatever else the site's repository may hold: what no branch reaches there can go at any time.

import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { GitFailed, runGit } from '../../git/command.js'
import { dropTemporary } from '../../git/disk/drop-temporary.js'
import { syncDirectory, syncFile } from '../../git/disk/durable.js'
import { makeScratch, scratchPath } from '../../git/disk/scratch.js'
import type { Oid } from '../../git/objects/oid.js'
import { MODEST_PACKING } from '../../git/packing-settings.js'
import { ServiceError } from '../../model/errors.js'
import type { PackToInstall } from '../protocol/write.js'

/** A blob and its path, by which git finds similar ones. */
export type NamedBlob = readonly [oid: Oid, path: string]

const SETTINGS = [...MODEST_PACKING, '-c', 'pack.writeReverseIndex=false']

/** Returns a path for the folder of the packs of one merge. The next start removes what a killed process leaves there. */
export function packFolderIn(gitdir: string): string {
  return resolve(scratchPath(gitdir, 'copy'))
}

/** Never rejects. */
export async function removePackFolder(folder: string): Promise<void> {
  await dropTemporary(folder)
}

/** Makes a durable pack in `folder`, which must be new; none without blobs. Throws `storage_full` and `storage_failed`. */
export async function packBlobs(gitdir: string, blobs: readonly NamedBlob[], folder: string): Promise<PackToInstall[]> {
  if (blobs.length === 0) return []
  makeScratch(gitdir)
  mkdirSync(folder)
  const input = [Buffer.from(blobs.map(([oid, path]) => `${oid} ${path}\n`).join(''))]
  const args = [...SETTINGS, 'pack-objects', '--quiet', '--delta-base-offset', join(folder, 'blobs')]
  const id = (await runGit(gitdir, args, { input }).catch(refuse)).toString().trim()
  const path = join(folder, `blobs-${id}`)
  for (const name of readdirSync(folder)) syncFile(join(folder, name))
  for (const made of [folder, dirname(folder)]) syncDirectory(made)
  return [{ id, path, bytes: statSync(`${path}.pack`).size }]
}

/** git names errors of the system as strerror(3) does, but a full disk in words of its own too. */
function refuse(error: unknown): never {
  if (!(error instanceof GitFailed)) throw error
  const isFull = /No space left on device|Out of diskspace|Disk quota exceeded/.test(error.message)
  const refusal = isFull
    ? new ServiceError('storage_full', 'The disk is full. Nothing was written.')
    : new ServiceError('storage_failed', 'git could not pack the files. Nothing was written; try again.')
  throw Object.assign(refusal, { cause: error })
}
