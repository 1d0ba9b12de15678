// Packs blobs of a change request for the repository of its site, with git, in a folder that the caller removes. The writer installs the
// pack with the commit, whatever else the site's repository may hold: what no branch reaches there can go at any time.

import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { runGit } from '../../git/command.js'
import { dropTemporary } from '../../git/disk/drop-temporary.js'
import { syncDirectory, syncFile } from '../../git/disk/durable.js'
import { makeScratch, scratchPath } from '../../git/disk/scratch.js'
import type { Oid } from '../../git/objects/oid.js'
import { MODEST_PACKING } from '../../git/packing-settings.js'
import { refusePacking } from '../protocol/packing-failure.js'
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
  const id = (await runGit(gitdir, args, { input }).catch(refusePacking)).toString().trim()
  const path = join(folder, `blobs-${id}`)
  for (const name of readdirSync(folder)) syncFile(join(folder, name))
  for (const made of [folder, dirname(folder)]) syncDirectory(made)
  return [{ id, path, bytes: statSync(`${path}.pack`).size }]
}
