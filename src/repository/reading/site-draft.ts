// Opens a write that was built and not stored: a site before and after it.

import type { NewObject } from '../../git/objects/object.js'
import { DraftObjects } from '../../git/storage/draft-objects.js'
import { UninstalledPacks } from '../../git/streams/uninstalled-packs.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import type { PackToInstall, SiteRef } from '../protocol/write.js'
import type { Drafted, Written } from '../protocol/written.js'
import { type OnFailure, Snapshot } from './snapshot.js'

/** A site as a write would leave it. */
export interface SiteDraft {
  /** Without facts; its commit is in `snapshot` alone. */
  written: Written
  base: Snapshot
  snapshot: Snapshot
  /** Objects of `snapshot` that the repository lacks. */
  objects: readonly NewObject[]
  /** Packs outside of the repository with the rest of it, by their paths without endings. */
  packs: readonly string[]
  /** The bytes that it holds in memory. */
  bytes: number
}

/** Opens a draft that a writer built on `repository`. Throws the git layer's errors. */
export function openDraft(
  site: SiteRef,
  repository: ObjectReader,
  { written, base, objects }: Drafted,
  { packs = [] }: { packs?: readonly PackToInstall[] },
  onFailure: OnFailure,
): SiteDraft {
  // A Buffer crosses a thread boundary as a Uint8Array.
  const own = objects.map((object) => ({ ...object, content: Buffer.from(object.content) }))
  const paths = packs.map(({ path }) => path)
  const draft = new DraftObjects(new UninstalledPacks(repository, paths), own)
  const snapshot = new Snapshot(site.id, draft, written.commit, onFailure)
  return {
    written,
    base: new Snapshot(site.id, repository, base, onFailure),
    snapshot,
    objects: own,
    packs: paths,
    bytes: own.reduce((sum, { content }) => sum + content.length, 0),
  }
}
