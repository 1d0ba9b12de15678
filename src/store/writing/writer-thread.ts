// A writer thread: some of the sites, whose repositories lie on this machine's disk; on a node their logs lie in PostgreSQL.

import { workerData } from 'node:worker_threads'
import { serveRequests } from '../../threads/serve.js'
import { DiskRepositories } from '../disk/disk-repositories.js'
import { openSigner } from '../disk/signing-key.js'
import type { WriterProtocol, WriterSettings } from '../protocol/writer-messages.js'
import { SiteWriters } from './site-writers.js'

const { dataDir, diskReserveBytes, log } = workerData as WriterSettings
const disk = new DiskRepositories(dataDir)
// Without a database nothing of it is loaded.
const repositories = log === undefined ? disk : (await import('../log/open-log.js')).openLogRepositories(disk, log)

const say = serveRequests<WriterProtocol>((request, ticket) => writers.take(request, ticket))
const writers = new SiteWriters({
  repositories,
  sign: openSigner(dataDir),
  diskReserveBytes,
  say,
})
