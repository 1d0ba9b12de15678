// What the primary process and a worker say to each other. Messages arrive in the order they were sent.

import type { Address, Config } from '../config/config.js'
import type { Trouble } from '../store/health/troubles.js'
import type { SiteRef } from '../store/protocol/write.js'

export type ToWorker =
  | { type: 'start'; config: Config; address: Address; socketPath: string }
  /** Comes with the listening socket: from here on the worker accepts connections. */
  | { type: 'listen' }
  /** These sites may have moved, be shown otherwise, or be gone: a worker that has answered `taken` looks before it serves them again. */
  | { type: 'moved'; round: number; slugs: readonly string[] }
  | { type: 'stop' }

export type FromWorker = { type: 'ready' } | { type: 'taken'; round: number } | Finding

/** What a worker meets while it reads, and the primary sees to: a damaged site, an index that is behind. */
export type Finding = { type: 'trouble'; site: SiteRef; trouble: Trouble } | { type: 'behind'; siteId: string }
