// The commits that a site's writer made itself, as far back as they are remembered: looking back over them reads nothing.

import type { Oid } from '../../git/objects/oid.js'
import type { PagePath } from '../../model/paths/page-path.js'
import { parseMetadataPath, SIDECAR_DIR } from '../format/site-format.js'

const REMEMBERED_COMMITS = 4096
/** What the sidecars of a commit name is not remembered where it changes more of them. */
const MAX_SIDECARS = 500

export interface OwnCommit {
  parent: Oid
  /** The files that it changed. */
  paths: ReadonlySet<string>
}

interface RememberedCommit extends OwnCommit {
  /** The sidecars that it changed, by page, with the path that each names; undefined where that is not remembered. */
  sidecars: SidecarPaths | undefined
}

/** By page id, the path that its sidecar names; undefined where there is no valid one. */
export type SidecarPaths = ReadonlyMap<string, PagePath | undefined>

export class OwnCommits {
  readonly #commits = new Map<Oid, RememberedCommit>()

  get(oid: Oid): OwnCommit | undefined {
    return this.#commits.get(oid)
  }

  /** `pathIn` answers what the sidecar of a page names as of this commit. It may throw: then that is not remembered. */
  add(oid: Oid, commit: OwnCommit, pathIn: (pageId: string) => PagePath | undefined): void {
    this.#commits.set(oid, { ...commit, sidecars: sidecarsOf(commit, pathIn) })
    if (this.#commits.size <= REMEMBERED_COMMITS) return
    const [oldest] = this.#commits.keys()
    if (oldest !== undefined) this.#commits.delete(oldest)
  }

  /** The sidecars that changed from `asOf` to `head`; undefined where not all commits in between are remembered. */
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

/** Undefined also where one cannot be read. The commit is made by now, and who looks for the sidecar is told. */
function sidecarsOf({ paths }: OwnCommit, pathIn: (pageId: string) => PagePath | undefined): SidecarPaths | undefined {
  try {
    const pageIds = pagesOf(paths)
    return pageIds && new Map(pageIds.map((pageId) => [pageId, pathIn(pageId)]))
  } catch {
    return undefined
  }
}

/** The pages whose sidecars are among the files; undefined for too many, and for a change of their folders that is not file by file. */
function pagesOf(paths: ReadonlySet<string>): string[] | undefined {
  const pageIds: string[] = []
  for (const path of paths) {
    if (!path.startsWith(SIDECAR_DIR)) continue
    const metadata = parseMetadataPath(path)
    if (metadata?.kind !== 'sidecar' || pageIds.push(metadata.pageId) > MAX_SIDECARS) return undefined
  }
  return pageIds
}
