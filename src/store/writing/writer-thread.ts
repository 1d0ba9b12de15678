// A writer thread: some of the sites, whose repositories lie on this machine's disk.

import { workerData } from 'node:worker_threads'
import { serveRequests } from '../../threads/serve.js'
import { DiskRepositories } from '../disk/disk-repositories.js'
import { openSigner } from '../disk/signing-key.js'
import type { WriterProtocol, WriterSettings } from '../protocol/writer-messages.js'
import { SiteWriters } from './site-writers.js'

const { dataDir, diskReserveBytes } = workerData as WriterSettings

const say = serveRequests<WriterProtocol>((request, ticket) => writers.take(request, ticket))
const writers = new SiteWriters({
  repositories: new DiskRepositories(dataDir),
  sign: openSigner(dataDir),
  diskReserveBytes,
  say,
})
