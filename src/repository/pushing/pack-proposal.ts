// Packs what a proposal brings for the repository with the site's change requests. The site's own repository gets none of it: what is there
// could be fetched by its id. What the quarantine holds may be much more, since a client is told of main alone.

import { mkdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type GitOptions, runGit } from '../../git/command.js'
import type { Oid } from '../../git/objects/oid.js'
import { MODEST_PACKING } from '../../git/packing-settings.js'
import { SERVING_NICENESS } from '../../git/priority.js'
import type { PackToInstall } from '../protocol/write.js'
import { refusePacking } from '../protocol/packing-failure.js'
import { type Quarantine, sync } from './quarantine.js'

export interface ProposalToPack {
  gitdir: string
  quarantine: Pick<Quarantine, 'folder'>
  tip: Oid
  /** Commits whose objects are there already: main, and the branch as it is. What else the site may hold can go at any time. */
  without: readonly Oid[]
}

/** Makes a durable pack in the quarantine, with which it goes. Throws `storage_full` and `storage_failed`. */
export async function packProposal(
  { gitdir, quarantine, tip, without }: ProposalToPack,
  { signal }: Pick<GitOptions, 'signal'>,
): Promise<PackToInstall> {
  const folder = join(quarantine.folder, 'proposal')
  mkdirSync(folder)
  // git leaves out what these commits have only if their folders are named too.
  const excluded = without.flatMap((oid) => [`^${oid}`, `^${oid}^{tree}`])
  const args = ['pack-objects', '--revs', '--quiet', '--delta-base-offset', join(folder, 'pack')]
  const printed = await runGit(gitdir, [...MODEST_PACKING, '-c', 'pack.writeReverseIndex=false', ...args], {
    newObjects: quarantine.folder,
    input: [Buffer.from(`${[tip, ...excluded].join('\n')}\n`)],
    niceness: SERVING_NICENESS,
    signal,
  }).catch(refusePacking)
  const id = printed.toString().trim()
  const path = join(folder, `pack-${id}`)
  await Promise.all(['pack', 'idx'].map((ending) => sync(`${path}.${ending}`)))
  return { id, path, bytes: (await stat(`${path}.pack`)).size }
}
