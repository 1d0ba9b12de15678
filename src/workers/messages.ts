// The messages between the primary process and a worker. They arrive in the order in which they were sent.

import type { Address } from '../config/address.js'
import type { Config } from '../config/config.js'
import type { Trouble } from '../store/protocol/trouble.js'
import type { SiteRef } from '../store/protocol/write.js'

/** What a node knows after it asked the database what has changed. */
export interface Looked {
  /** Whether the database has answered, and all of it is here but for the refused sites. */
  isCurrent: boolean
  /** Where it has not: whether sites may be shown as they were. */
  mayBeOld: boolean
  /** The ids of the sites of which nothing is answered. */
  refused: readonly string[]
  /** The database's time, milliseconds since the epoch. */
  time: number
}

export type ToWorker =
  /** Sent once the data directory is open. */
  | { type: 'start'; number: number; config: Config; address: Address; socketPath: string }
  /** The worker accepts connections from then on. */
  | { type: 'listen' }
  /** The answer to a `look`, on a node. */
  | { type: 'looked'; round: number; looked: Looked }
  | { type: 'stop' }

export type FromWorker =
  | { type: 'ready' }
  | { type: 'listening' }
  /** It cannot start, or cannot listen, and ends. `syscall` where a system call failed. */
  | { type: 'failed'; message: string; syscall?: string | undefined }
  /** On a node: asks what has changed anywhere, before it answers what has come by now. */
  | { type: 'look'; round: number }
  | Finding

/** What a worker notices while it reads, and the primary handles: a damaged site, an index that is behind. */
export type Finding = { type: 'trouble'; site: SiteRef; trouble: Trouble } | { type: 'behind'; siteId: string }
