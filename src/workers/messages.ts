// The messages between the primary process and a worker. They arrive in the order in which they were sent.

import type { Address } from '../config/address.js'
import type { Config } from '../config/config.js'
import type { Trouble } from '../store/protocol/trouble.js'
import type { SiteRef } from '../store/protocol/write.js'

export type ToWorker =
  /** Sent once the data directory is open. */
  | { type: 'start'; config: Config; address: Address; socketPath: string }
  /** The worker accepts connections from then on. */
  | { type: 'listen' }
  /** The settings of these sites changed, or they are deleted: a worker that has answered `taken` reads them again before it serves them. */
  | { type: 'changed'; round: number; slugs: readonly string[] }
  | { type: 'stop' }

export type FromWorker =
  | { type: 'ready' }
  | { type: 'listening' }
  /** It cannot start, or cannot listen, and ends. `syscall` where a system call failed. */
  | { type: 'failed'; message: string; syscall?: string | undefined }
  | { type: 'taken'; round: number }
  | Finding

/** What a worker notices while it reads, and the primary handles: a damaged site, an index that is behind. */
export type Finding = { type: 'trouble'; site: SiteRef; trouble: Trouble } | { type: 'behind'; siteId: string }
