// git's own commands that serve a fetch, and the question whether a commit may be fetched.

import { join } from 'node:path'
import { type RunningGit, runGit, startGit } from '../../git/command.js'
import { ObjectMissing } from '../../git/objects/errors.js'
import type { Oid } from '../../git/objects/oid.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import type { AdvertisedRefs } from '../protocol/repository.js'
import type { FetchViews } from './fetch-view.js'

/** Whoever calls has checked what the client wants. A fetch takes one thread and little memory: other sites must not notice it. */
const SETTINGS = [
  'uploadpack.allowAnySHA1InWant=true',
  'pack.threads=1',
  'pack.windowMemory=64m',
  'pack.deltaCacheSize=16m',
].flatMap((setting) => ['-c', setting])
/** A walk that takes longer is given up. */
const MAX_WALK_MS = 20_000
/** Commits outside of main's first-parent history that one request may name. */
const MAX_WALKED = 1000

export interface FetchOptions {
  protocol: 0 | 1 | 2
  maxMs: number
}

/** Starts `git upload-pack` for one request of a client, which sees these refs and the objects of the repository. */
export function startUploadPack(
  gitdir: string,
  views: FetchViews,
  refs: AdvertisedRefs,
  options: FetchOptions,
): RunningGit {
  const view = views.prepare(gitdir, refs)
  const args = [...SETTINGS, 'upload-pack', '--stateless-rpc', '--strict', view]
  return startGit(view, args, { ...options, objects: join(gitdir, 'objects') })
}

/** Those of the objects that are `head` or commits in its history, merged ones too. Rejects with GitFailed. */
export async function ancestorsOf(
  gitdir: string,
  objects: ObjectReader,
  head: Oid,
  oids: readonly Oid[],
): Promise<Oid[]> {
  const commits = oids.slice(0, MAX_WALKED).filter((oid) => isCommit(objects, oid))
  const args = ['rev-list', ...commits, '--not', head]
  const others = new Set((await runGit(gitdir, args, { maxMs: MAX_WALK_MS })).toString().split('\n'))
  return commits.filter((oid) => !others.has(oid))
}

function isCommit(objects: ObjectReader, oid: Oid): boolean {
  try {
    return objects.readHeader(oid).type === 'commit'
  } catch (error) {
    if (error instanceof ObjectMissing) return false
    throw error
  }
}
