// The order in which a writer thread serves sites: workspaces take turns, and the sites of each among themselves. So a
// workspace with a thousand busy sites keeps nobody waiting for longer than one with a single one.

import type { SiteRef } from '../protocol/write.js'

export class Turns {
  /** Slugs with work, by workspace. The first is next, of both. */
  readonly #slugs = new Map<string, Set<string>>()

  /** Puts the site at the end of its workspace's line, where it is not in it. */
  add({ id, slug, workspaceId = id }: SiteRef): void {
    const line = this.#slugs.get(workspaceId)
    if (line === undefined) this.#slugs.set(workspaceId, new Set([slug]))
    else line.add(slug)
  }

  /** The next site, which leaves the line. */
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
