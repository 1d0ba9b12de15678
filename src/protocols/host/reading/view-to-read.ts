// A view of a site as plain values: everything that its answers depend on, as it was when the request began.

import type { Oid } from '../../../git/objects/oid.js'
import type { SiteRef } from '../../../repository/protocol/write.js'

export interface ViewToRead {
  site: SiteRef
  /** The site's own origin, without a trailing slash. */
  origin: string
  /** The site's head. */
  head: Oid
  /** The earlier commit that is shown, if it is not the head. */
  version?: Oid
  /** The draft that is shown. */
  draft?: DraftToRead
  /** The change request that is shown. */
  request?: RequestToRead
  /** Blobs that only keys may read; undefined on the site's own host, which shows its head alone. */
  withdrawn?: readonly Oid[]
  /** Whether it has robots.txt, sitemap.xml and, with Markdown, llms.txt. */
  generates?: boolean
  markdown?: boolean
  search?: boolean
}

export interface RequestToRead {
  id: string
  /** Its head. */
  commit: Oid
  /** The newest commit of main that it contains. */
  base: Oid
}

export interface DraftToRead {
  /** The change request that it would change, in place of main. */
  request?: string | undefined
  /** The head on which it was built. */
  base: Oid
  commit: Oid
  /** The objects that no repository holds (`shareObjects`). */
  objects: SharedArrayBuffer
  /** Packs outside of the repository with the rest of it, by their paths without endings. */
  packs: readonly string[]
}
