// Readers in other threads, which open the repositories by themselves. The store of their process tells them what it learns.

import type { SiteRef } from '../protocol/write.js'
import type { SharedTree } from '../protocol/writer-messages.js'

export interface OtherReaders {
  /** Takes large folders that a writer just stored, so that they need not be read and hashed again. */
  rememberTrees(site: SiteRef, trees: readonly SharedTree[]): void
  /** Closes the repository of a deleted site. */
  forget(site: SiteRef): void
}
