// The settings and parts of a Store.

import type { Admission } from '../admission/admission.js'
import type { Troubles } from './health/troubles.js'
import type { QuotaKeeper } from './protocol/quota-keeper.js'
import type { PreparedRevert, SiteRef } from './protocol/write.js'
import type { LogSettings } from './protocol/writer-messages.js'
import type { OtherReaders } from './reading/other-readers.js'
import type { RevertAim } from './reverting/prepare-revert.js'

export interface StoreOptions {
  dataDir: string
  limits: { writerThreads: number; diskReserveBytes: number }
  /** Limits the writes that wait. Default: by the default settings. */
  admission?: Admission
  /** The database with the sites' logs, where machines share them: `follow` brings the commits of the others. */
  database?: Omit<LogSettings, 'threads'> | undefined
  /** Collects the troubles of single sites from all parts of the service. */
  troubles?: Troubles
  /** The readers of other threads, which are told what this one learns. */
  otherReaders?: OtherReaders
  /** Holds writes to the quotas of their workspaces; without it, there are none. */
  quotas?: QuotaKeeper
  /** Replaces `prepareRevert` by work outside of this thread. Without it, this thread does the work. */
  prepareRevert?: (site: SiteRef, aim: RevertAim) => Promise<PreparedRevert>
}
