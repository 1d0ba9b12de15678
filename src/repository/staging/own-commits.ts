// Remembers the commits that a site's writer made itself, so that looking back over them reads nothing.

import type { Oid } from '../../git/objects/oid.js'
import type { PagePath } from '../../model/paths/page-path.js'
import { parseMetadataPath, SIDECAR_DIR } from '../format/site-format.js'

const REMEMBERED_COMMITS = 4096
/** The sidecars of a commit are not remembered if it changes more of them. */
const MAX_SIDECARS = 500

export interface OwnCommit {
  parent: Oid
  /** The files that the commit changed. */
  paths: ReadonlySet<string>
}

interface RememberedCommit extends OwnCommit {
  /** The paths that its changed sidecars name, by page id; undefined if they are not remembered. */
  sidecars: SidecarPaths | undefined
}

/** The path that each sidecar names, by page id; undefined for an invalid or missing sidecar. */
export type SidecarPaths = ReadonlyMap<string, PagePath | undefined>

export class OwnCommits {
  readonly #commits = new Map<Oid, RememberedCommit>()

  get(oid: Oid): OwnCommit | undefined {
    return this.#commits.get(oid)
  }

  /** Adds a commit. `pathIn` returns the path that a page's sidecar names at this commit. If it throws, the sidecars are not remembered. */
  add(oid: Oid, commit: OwnCommit, pathIn: (pageId: string) => PagePath | undefined): void {
    this.#commits.set(oid, { ...commit, sidecars: sidecarsOf(commit, pathIn) })
    if (this.#commits.size <= REMEMBERED_COMMITS) return
    const [oldest] = this.#commits.keys()
    if (oldest !== undefined) this.#commits.delete(oldest)
  }

  /** Returns the sidecars that changed from `asOf` to `head`; undefined if a commit in between is not remembered. */
  sidecarsBetween(asOf: Oid, head: Oid): SidecarPaths | undefined {
    const changed = new Map<string, PagePath | undefined>()
    for (let at = head; at !== asOf; ) {
      const { parent, sidecars } = this.#commits.get(at) ?? {}
      if (parent === undefined || sidecars === undefined) return undefined
      for (const [pageId, path] of sidecars) if (!changed.has(pageId)) changed.set(pageId, path)
      at = parent
    }
    return changed
  }
}

/** Returns undefined also if a sidecar cannot be read. The commit is already made, and a later lookup reports the error. */
function sidecarsOf({ paths }: OwnCommit, pathIn: (pageId: string) => PagePath | undefined): SidecarPaths | undefined {
  try {
    const pageIds = pagesOf(paths)
    return pageIds && new Map(pageIds.map((pageId) => [pageId, pathIn(pageId)]))
  } catch {
    return undefined
  }
}

/** Returns the pages whose sidecars changed; undefined for too many, and if a whole folder of sidecars changed at once. */
function pagesOf(paths: ReadonlySet<string>): string[] | undefined {
  const pageIds: string[] = []
  for (const path of paths) {
    if (!path.startsWith(SIDECAR_DIR)) continue
    const metadata = parseMetadataPath(path)
    if (metadata?.kind !== 'sidecar' || pageIds.push(metadata.pageId) > MAX_SIDECARS) return undefined
  }
  return pageIds
}
