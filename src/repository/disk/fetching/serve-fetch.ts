// Runs git's own commands that serve a fetch, and finds out which objects may be fetched. All of them work in a folder that shows
// only the advertised refs.

import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { MODEST_PACKING } from '../../../git/packing-settings.js'
import { type RunningGit, startGit, type StartOptions } from '../../../git/serving-command.js'
import { ObjectCorrupt, ObjectMissing } from '../../../git/objects/errors.js'
import type { NewObject } from '../../../git/objects/object.js'
import type { Oid } from '../../../git/objects/oid.js'
import type { ObjectReader } from '../../../git/storage/object-reader.js'
import { encodePack } from '../../../git/storage/pack-writer.js'
import type { AdvertisedRefs } from '../../protocol/repository.js'
import { FetchViews } from './fetch-view.js'
import { ReachableObjects } from './reachable-objects.js'

/** The allowed filters of a partial clone, without those that name objects or expand to many (git-config, `uploadpackfilter`). */
const FILTERS = ['blob:none', 'blob:limit', 'tree']
/** Longer blobs are sent as they are read, and not held in memory to search for deltas. */
const STREAMED_BLOB = '4m'
/** Any id may be wanted: the caller has checked the wants. A fetch takes one thread and little memory, so other sites do not notice it. */
const SETTINGS = [
  'uploadpack.allowAnySHA1InWant=true',
  'uploadpack.allowFilter=true',
  'uploadpackfilter.allow=false',
  ...FILTERS.map((filter) => `uploadpackfilter.${filter}.allow=true`),
  `core.bigFileThreshold=${STREAMED_BLOB}`,
  'core.deltaBaseCacheLimit=16m',
  'pack.deltaCacheSize=16m',
]
  .flatMap((setting) => ['-c', setting])
  .concat(MODEST_PACKING)
/** A longer walk is stopped. */
const MAX_WALK_MS = 20_000
/** The limit for commits outside of main's first-parent history in one request. */
const MAX_WALKED = 1000

/** Reading and packing this much blocks the thread for a few milliseconds at most. */
const MAX_PACKED_BLOBS = 50
const MAX_PACKED_BYTES = 256 * 1024

/** A site's repository, as a client who may fetch sees it. */
export interface FetchSource {
  siteId: string
  gitdir: string
  refs: AdvertisedRefs
  objects: ObjectReader
}

export type FetchOptions = Omit<StartOptions, 'objects'>

export class FetchServer {
  readonly #views = new FetchViews()
  readonly #reachable = new ReachableObjects()

  /** Starts `git upload-pack` for one request. The client may have every object that it asks for. */
  async uploadPack({ gitdir, refs }: FetchSource, options: FetchOptions): Promise<RunningGit> {
    const view = this.#views.prepare(gitdir, refs)
    const args = [...SETTINGS, 'upload-pack', '--stateless-rpc', '--strict', view]
    return await startGit(view, args, { ...options, objects: join(gitdir, 'objects') })
  }

  /** Returns those of the objects that are commits in the history of main, merged ones included. */
  async commitsAmong({ gitdir, refs, objects }: FetchSource, oids: readonly Oid[]): Promise<Oid[]> {
    const commits = oids.slice(0, MAX_WALKED).filter((oid) => isCommit(objects, oid))
    if (commits.length === 0) return []
    const view = this.#views.prepare(gitdir, refs)
    const args = ['rev-list', ...commits, '--not', refs.main]
    const git = await startGit(view, args, { protocol: 0, maxMs: MAX_WALK_MS, objects: join(gitdir, 'objects') })
    git.stdin.end()
    const others = new Set((await text(git.stdout)).split('\n'))
    return (await git.ended) === 0 ? commits.filter((oid) => !others.has(oid)) : []
  }

  /** Whether the commit is main, or in its history. Rejects if git could not find out. */
  async isInMain({ gitdir, refs, objects }: FetchSource, oid: Oid): Promise<boolean> {
    if (!isCommit(objects, oid)) return false
    const view = this.#views.prepare(gitdir, refs)
    const args = ['merge-base', '--is-ancestor', oid, refs.main]
    const git = await startGit(view, args, { protocol: 0, maxMs: MAX_WALK_MS, objects: join(gitdir, 'objects') })
    git.stdin.end()
    git.stdout.resume()
    const exitCode = await git.ended
    if (exitCode === 0 || exitCode === 1) return exitCode === 0
    throw new Error(`git merge-base ended with ${exitCode ?? 'a signal'}`)
  }

  /**
   * Returns the pack of the wanted objects for a repository that has `had`: main or tags. It may have deltas against objects of that
   * repository (git-pack-objects, `--thin`). Reading rejects if git fails; ending the loop early ends git.
   */
  async *packOf(
    { gitdir, refs }: FetchSource,
    { wanted, had }: { wanted: readonly Oid[]; had: readonly Oid[] },
    maxMs: number,
  ): AsyncGenerator<Buffer, void> {
    const view = this.#views.prepare(gitdir, refs)
    const args = [...SETTINGS, 'pack-objects', '--revs', '--thin', '--stdout', '--delta-base-offset', '--quiet']
    const git = await startGit(view, args, { protocol: 0, maxMs, objects: join(gitdir, 'objects') })
    git.stdin.end([...wanted, ...had.map((oid) => `^${oid}`), ''].join('\n'))
    try {
      for await (const chunk of git.stdout as AsyncIterable<Buffer>) yield chunk
      const exitCode = await git.ended
      if (exitCode !== 0) throw new Error(`git pack-objects ended with ${exitCode ?? 'a signal'}`)
    } finally {
      git.stop()
    }
  }

  /** Packs these objects without git; undefined for more than a few small blobs, and if one cannot be read. */
  async packOfBlobs({ objects }: FetchSource, oids: readonly Oid[]): Promise<Buffer | undefined> {
    if (oids.length > MAX_PACKED_BLOBS) return undefined
    try {
      const headers = oids.map((oid) => objects.readHeader(oid))
      const bytes = headers.reduce((sum, { size }) => sum + size, 0)
      if (bytes > MAX_PACKED_BYTES || headers.some(({ type }) => type !== 'blob')) return undefined
      const blobs: NewObject[] = []
      for (const oid of oids) blobs.push({ oid, type: 'blob', content: objects.readBlob(oid) })
      return encodePack(blobs).pack
    } catch (error) {
      if (error instanceof ObjectMissing || error instanceof ObjectCorrupt) return undefined
      throw error
    }
  }

  /** Returns those of the objects that main reaches. Throws as `ReachableObjects` does. */
  async objectsAmong(source: FetchSource, oids: readonly Oid[]): Promise<Oid[]> {
    const { siteId, gitdir, refs } = source
    const place = { view: this.#views.prepare(gitdir, refs), objects: join(gitdir, 'objects') }
    const isAncestor = async (commit: Oid) => (await this.commitsAmong(source, [commit])).length === 1
    return await this.#reachable.among(siteId, place, refs.main, oids, isAncestor)
  }
}

function isCommit(objects: ObjectReader, oid: Oid): boolean {
  try {
    return objects.readHeader(oid).type === 'commit'
  } catch (error) {
    if (error instanceof ObjectMissing) return false
    throw error
  }
}
