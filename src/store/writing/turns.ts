// The order in which a writer thread serves sites: workspaces take turns, and the sites of a workspace among themselves. So a workspace
// with a thousand busy sites delays others no longer than one with a single site.

import type { SiteRef } from '../protocol/write.js'

export class Turns {
  /** Slugs with work, by workspace. The first ones are next, both of workspaces and of slugs. */
  readonly #slugs = new Map<string, Set<string>>()

  /** Puts the site at the end of its workspace's line, unless it is already in it. */
  add({ id, slug, workspaceId = id }: SiteRef): void {
    const line = this.#slugs.get(workspaceId)
    if (line === undefined) this.#slugs.set(workspaceId, new Set([slug]))
    else line.add(slug)
  }

  /** Takes the next site out of the line. */
  take(): string | undefined {
    for (const [workspaceId, line] of this.#slugs) {
      this.#slugs.delete(workspaceId)
      const [slug] = line
      if (slug !== undefined) line.delete(slug)
      if (line.size > 0) this.#slugs.set(workspaceId, line)
      return slug
    }
    return undefined
  }
}
