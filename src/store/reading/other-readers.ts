// What readers in other threads are told by the store of their process. They open the repositories by themselves.

import type { SiteRef } from '../protocol/write.js'
import type { SharedTree } from '../protocol/writer-messages.js'

export interface OtherReaders {
  /** Takes large folders that a writer just stored, so that they need not be read and hashed again. */
  rememberTrees(site: SiteRef, trees: readonly SharedTree[]): void
  /** Closes the repository of a deleted site. */
  forget(site: SiteRef): void
}
