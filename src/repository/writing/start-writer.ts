// Starts the writers of a thread. The thread's entry says where the repositories of its sites are.

import { workerData } from 'node:worker_threads'
import { SiteIndexes } from '../../index/site-index.js'
import { serveRequests } from '../../threads/serve.js'
import { DiskRepositories } from '../disk/disk-repositories.js'
import { openSigner } from '../disk/signing-key.js'
import type { WriterProtocol, WriterSettings } from '../protocol/writer-messages.js'
import { SiteWriters, type SiteWritersParts } from './site-writers.js'

/** A write does not wait long while the indexer stores rows of the same site: the indexer then stores the write's rows too. */
const MAX_LOCK_WAIT_MS = 10

/** `open` gets the repositories of this machine's disk, and the thread's settings. */
export function startWriter(
  open: (disk: DiskRepositories, settings: WriterSettings) => SiteWritersParts['repositories'],
): void {
  const settings = workerData as WriterSettings
  const { dataDir, diskReserveBytes } = settings
  const say = serveRequests<WriterProtocol>((request, ticket) => writers.take(request, ticket))
  const writers = new SiteWriters({
    repositories: open(new DiskRepositories(dataDir), settings),
    indexes: new SiteIndexes(dataDir, { access: 'follows', busyTimeout: MAX_LOCK_WAIT_MS }),
    sign: openSigner(dataDir),
    diskReserveBytes,
    say,
  })
}
