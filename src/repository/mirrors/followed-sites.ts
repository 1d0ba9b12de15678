// Follows mirrored sites: calls when main or a tag of one moves, and when it is time to retry its mirror.

import type { Site } from '../../catalog/site.js'
import type { Store } from '../store.js'

interface Followed {
  unwatch: () => void
  timer: NodeJS.Timeout | undefined
}

export interface FollowOptions {
  repositories: Pick<Store['repositories'], 'watch'>
  onTold: (siteId: string) => void
  /** Called if the system cannot report moves of this site. */
  onUnwatched: (site: Site, error: unknown) => void
}

export class FollowedSites {
  readonly #options: FollowOptions
  readonly #followed = new Map<string, Followed>()

  constructor(options: FollowOptions) {
    this.#options = options
  }

  follow(site: Site): void {
    if (this.#followed.has(site.id)) return
    this.#followed.set(site.id, { unwatch: this.#watch(site), timer: undefined })
  }

  unfollow(siteId: string): void {
    const followed = this.#followed.get(siteId)
    followed?.unwatch()
    clearTimeout(followed?.timer)
    this.#followed.delete(siteId)
  }

  /** Calls for the site once, after `ms`. Replaces an earlier request for the same site. */
  tellIn(siteId: string, ms: number): void {
    const followed = this.#followed.get(siteId)
    if (followed === undefined) return
    clearTimeout(followed.timer)
    followed.timer = setTimeout(() => this.#options.onTold(siteId), ms).unref()
  }

  close(): void {
    for (const siteId of this.#followed.keys()) this.unfollow(siteId)
  }

  #watch(site: Site): () => void {
    try {
      return this.#options.repositories.watch(site, () => this.#options.onTold(site.id))
    } catch (error) {
      this.#options.onUnwatched(site, error)
      return () => undefined
    }
  }
}
