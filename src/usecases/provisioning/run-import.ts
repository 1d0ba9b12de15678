// Runs one import: fetches the remote, puts the repository in its place, and makes it a live site. On failure, frees id and slug and keeps
// the reason.

import type { Catalog } from '../../catalog/catalog.js'
import type { SiteImport } from '../../catalog/remotes/site-imports.js'
import type { Site } from '../../catalog/site.js'
import { type Clock, type MakeId, toSeconds } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { IMPORT_SECONDS, type Limits, MAX_IMPORT_WARNINGS, MAX_MESSAGE_CHARACTERS } from '../../model/limits.js'
import { GitFailed } from '../../git/command.js'
import type { PrivateRemotes } from '../../git/remotes/remote-address.js'
import { RemoteFailed } from '../../git/remotes/remote-failed.js'
import type { RemoteCredentials } from '../../git/remotes/remote.js'
import { withinTime } from '../../git/remotes/within-time.js'
import { type ImportedRepository, importRepository } from '../../repository/disk/import-repository.js'
import type { Replica } from '../../repository/protocol/replica.js'
import { PushRefused } from '../../repository/pushing/judge/push-messages.js'
import type { Store } from '../../repository/store.js'
import { type FetchProgress, fetchRemote } from './fetch-remote.js'

export interface ImportProgress extends FetchProgress {
  /** `waiting` for its turn, `receiving` the pack, `checking` the objects. */
  phase: 'waiting' | 'receiving' | 'checking'
}

export interface ImportParts {
  catalog: Catalog
  store: Store
  clock: Clock
  newId: MakeId
  limits: Limits
  privateRemotes: PrivateRemotes
  /** Throws if the disk has no room for so many more bytes. */
  checkSpace: (bytes: number) => void
  /** Throws if the repository would pass a quota of the workspace. */
  refuseBeyond: (workspaceId: string, gitdir: string) => Promise<void>
  replica: Pick<Replica, 'followCatalog'>
  onEvent: (what: string, which: SiteImport, error?: unknown) => void
}

export interface ImportJob {
  import: SiteImport
  /** Its row in the catalog; the id may change. */
  site: Site
  url: URL
  credentials: RemoteCredentials | undefined
  progress: ImportProgress
  /** Ends the import; the reason is a RemoteFailed. */
  stop: AbortController
}

/** Runs the import. Never rejects. */
export async function runImport(parts: ImportParts, job: ImportJob): Promise<void> {
  const { catalog, store, onEvent } = parts
  const tooLate = new RemoteFailed(`The import took longer than ${IMPORT_SECONDS} seconds.`)
  let isInPlace = false
  try {
    onEvent('import: begun', job.import)
    const { siteId, warnings } = await withinTime(
      { ms: IMPORT_SECONDS * 1000, stopped: job.stop.signal, tooLate },
      async (signal) => {
        const imported = await fetchInto(parts, job, signal)
        try {
          await parts.refuseBeyond(job.import.workspaceId, imported.gitdir)
          signal.throwIfAborted()
          await refuseEnded(parts, job)
          await store.writers.adoptRepository({ ...job.site, id: imported.siteId }, imported.gitdir)
          isInPlace = true
        } catch (error) {
          imported.drop()
          isInPlace = error instanceof ServiceError && error.code === 'outcome_unknown'
          throw error
        }
        return imported
      },
    )
    const site = { ...job.site, id: siteId }
    await catalog.sites.markLive(site)
    store.tellHead(site)
    await catalog.imports.finish(job.import.id, siteId, warnings.slice(0, MAX_IMPORT_WARNINGS).map(cutSentence))
    onEvent('import: done', job.import)
  } catch (error) {
    // The next start or another machine makes the site live.
    if (isInPlace) return onEvent('import: the last step failed', job.import, error)
    await failImport(parts, job, error)
  }
}

/** Frees id and slug, and keeps the reason. Never rejects. */
export async function failImport({ catalog, onEvent }: ImportParts, job: ImportJob, error: unknown): Promise<void> {
  onEvent('import: failed', job.import, error)
  try {
    await catalog.sites.dropCreating(job.site.id)
    await catalog.imports.fail(job.import.id, cutSentence(reasonOf(error)))
  } catch (failure) {
    // The next start does it.
    onEvent('import: the failure could not be recorded', job.import, failure)
  }
}

/** Throws if another machine has ended the import. This one may have stalled, and the slug may belong to another site by now. */
async function refuseEnded(
  { catalog, replica }: ImportParts,
  { import: { workspaceId, id } }: ImportJob,
): Promise<void> {
  await replica.followCatalog()
  if (catalog.imports.find(workspaceId, id)?.state !== 'importing')
    throw new RemoteFailed('The import was ended on another machine.')
}

async function fetchInto(parts: ImportParts, job: ImportJob, signal: AbortSignal): Promise<ImportedRepository> {
  const { catalog, store, clock, limits, privateRemotes, checkSpace } = parts
  const time = toSeconds(clock())
  const from = { url: job.url, credentials: job.credentials, exceptions: privateRemotes, signal }
  const receive = {
    maxBytes: limits.maxPushBytes,
    maxFileBytes: limits.maxFileBytes,
    checkSpace,
    signal,
    time,
    maxMs: IMPORT_SECONDS * 1000,
    onProgress: (progress: FetchProgress) => Object.assign(job.progress, progress),
    onReceived: () => {
      job.progress.phase = 'checking'
    },
  }
  job.progress.phase = 'receiving'
  return await importRepository(
    store.repositories.dataDir,
    (gitdir) => fetchRemote(gitdir, from, receive),
    {
      newId: job.site.id,
      // The outcome does not tell which workspace has or had the id.
      mayKeep: async (id) => {
        const isOurs = await catalog.sites.giveId(job.site.id, id)
        if (isOurs) job.site = { ...job.site, id }
        return isOurs
      },
    },
    time,
    { signal },
  )
}

/** Tells the user why the import failed, in the words of the remote, of git or of the judge. Nothing of the machine is told. */
function reasonOf(error: unknown): string {
  if (error instanceof RemoteFailed || error instanceof PushRefused) return error.message
  if (error instanceof ServiceError && !(error.cause instanceof GitFailed)) return error.message
  return 'The service failed. Its log has the reason.'
}

function cutSentence(text: string): string {
  return text.slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed()
}
