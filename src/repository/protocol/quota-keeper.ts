// The questions of the store about the quotas of workspaces.

import type { QuotaUse } from '../../admission/quotas.js'
import type { SiteRef, Write } from './write.js'
import type { Written } from './written.js'

export interface QuotaKeeper {
  /** Returns the quotas that the write must keep to, and their use; undefined if the site's workspace has none. */
  quotaUseFor(site: SiteRef, write: Write): Promise<QuotaUse | undefined>
  /** Counts a write that is durable. */
  noteWritten(site: SiteRef, write: Write, written: Written): void
}
