// Brings the tags of a site's repository on this machine to the state of the log. Objects that main does not reach came with moves of
// tags: missing ones are fetched, the newest first.

import { runGit } from '../../git/command.js'
import { dropTemporary } from '../../git/disk/drop-temporary.js'
import { makeScratch, scratchPath } from '../../git/disk/scratch.js'
import { ObjectMissing } from '../../git/objects/errors.js'
import type { Oid } from '../../git/objects/oid.js'
import { ZERO_OID } from '../../git/objects/ref-change.js'
import { readTags } from '../../git/repository/tag-refs.js'
import { peel } from '../../git/repository/tags.js'
import type { WritableDiskRepository } from '../../repository/disk/writable-disk-repository.js'
import { keepLost } from '../../repository/disk/keep-lost.js'
import type { SiteRef } from '../../repository/protocol/write.js'
import { receivePacks } from './pieces.js'
import type { SiteLog } from './site-log.js'

/** Hooks do not run: the moves were judged when the log took them. Moves that are not synced are replayed after a power cut. */
const NO_HOOKS = ['-c', 'core.hooksPath=/dev/null']

/** Moves the tags. Main must be at a commit whose history has all that they name. Throws ObjectMissing if the log lacks an object. */
export async function bringTags(
  log: SiteLog,
  { site, gitdir, repository }: { site: SiteRef; gitdir: string; repository: WritableDiskRepository },
  wanted: ReadonlyMap<string, Oid>,
): Promise<void> {
  await fetchObjects(log, site, gitdir, repository, [...wanted.values()])
  const here = readTags(gitdir)
  const gone = [...here].filter(([name]) => !wanted.has(name))
  await keepForeign(log, site, gitdir, repository, [...here])
  const set = [...wanted].filter(([name, oid]) => here.get(name) !== oid)
  // A tag may replace a folder of other tags, so removals come first.
  await updateRefs(
    gitdir,
    gone.map(([name, oid]) => `delete ${name} ${oid}\n`),
  )
  await updateRefs(
    gitdir,
    set.map(([name, oid]) => `update ${name} ${oid} ${here.get(name) ?? ZERO_OID}\n`),
  )
}

/** Keeps the objects of tags that were set here by path reachable, so that `fsck` reports them. */
async function keepForeign(
  log: SiteLog,
  site: SiteRef,
  gitdir: string,
  { objects }: WritableDiskRepository,
  here: readonly (readonly [name: string, oid: Oid])[],
): Promise<void> {
  const oids = new Set(here.map(([, oid]) => oid))
  for (const oid of await log.tags.had(site.id, [...oids])) oids.delete(oid)
  for (const oid of oids) if (objects.has(oid) && objects.readHeader(oid).type === 'tag') keepLost(gitdir, oid)
}

async function fetchObjects(
  log: SiteLog,
  site: SiteRef,
  gitdir: string,
  repository: WritableDiskRepository,
  tags: readonly Oid[],
): Promise<void> {
  let missing = tags.filter((oid) => !isWhole(repository, oid))
  for (let number = Number.MAX_SAFE_INTEGER; missing.length > 0; ) {
    const entry = await log.tags.packedBefore(site.id, number)
    if (entry === undefined) throw new ObjectMissing(missing[0] ?? '')
    makeScratch(gitdir)
    const folder = scratchPath(gitdir, 'push')
    try {
      repository.install(await receivePacks(log, entry, folder))()
    } finally {
      await dropTemporary(folder)
    }
    number = entry.number
    missing = missing.filter((oid) => !isWhole(repository, oid))
  }
}

function isWhole({ objects }: WritableDiskRepository, tag: Oid): boolean {
  try {
    peel(objects, tag)
    return true
  } catch (error) {
    if (error instanceof ObjectMissing) return false
    throw error
  }
}

async function updateRefs(gitdir: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return
  await runGit(gitdir, [...NO_HOOKS, 'update-ref', '--stdin'], { input: [Buffer.from(lines.join(''))] })
}
