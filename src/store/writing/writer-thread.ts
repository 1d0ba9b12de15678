// A writer thread with some of the sites. Their repositories are on this machine's disk; on a node their logs are in PostgreSQL.

import { workerData } from 'node:worker_threads'
import { SiteIndexes } from '../../catalog/index/site-index.js'
import { serveRequests } from '../../threads/serve.js'
import { DiskRepositories } from '../disk/disk-repositories.js'
import { openSigner } from '../disk/signing-key.js'
import type { WriterProtocol, WriterSettings } from '../protocol/writer-messages.js'
import { SiteWriters } from './site-writers.js'

/** A write does not wait long while the indexer stores rows of the same site: the indexer then stores the write's rows too. */
const MAX_LOCK_WAIT_MS = 10

const { dataDir, diskReserveBytes, log } = workerData as WriterSettings
const disk = new DiskRepositories(dataDir)
// Loads database code only if there is a database.
const repositories = log === undefined ? disk : (await import('../log/open-log.js')).openLogRepositories(disk, log)

const say = serveRequests<WriterProtocol>((request, ticket) => writers.take(request, ticket))
const writers = new SiteWriters({
  repositories,
  indexes: new SiteIndexes(dataDir, { access: 'follows', busyTimeout: MAX_LOCK_WAIT_MS }),
  sign: openSigner(dataDir),
  diskReserveBytes,
  say,
})
