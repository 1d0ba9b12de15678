// The look: before a node answers a read it asks PostgreSQL once which heads have moved, and has them here before it goes on. One
// query under way serves all that wait. So a read sees every write that was acknowledged before it began, through whichever node,
// and no clock decides.

import type { Oid } from '../git/objects/oid.js'
import type { SiteRef } from '../store/protocol/write.js'
import { SharedRun } from '../threads/shared-run.js'

/** A node that nobody reads follows at this pace. */
const PACE_MS = 1000

/** What moved since an earlier look. */
export interface Moves {
  heads: readonly { site: string; head: Oid | null }[]
  /** For the next look: nothing that this one did not see is missed. */
  upTo: string
}

export interface LookParts {
  /** The heads that moved since a look; all where none is given. Rejects where PostgreSQL does not answer. */
  moves: (since: string | undefined) => Promise<Moves>
  /** The site with this id; undefined where this node knows none. */
  siteOf: (id: string) => SiteRef | undefined
  /** The head of the site's repository on this machine; undefined where there is none that can be read. */
  headOf: (site: SiteRef) => Oid | undefined
  /** Brings the repository to what the log holds by now. */
  follow: (site: SiteRef) => Promise<void>
  /** A node that cannot follow a site while nobody waits. */
  onFailure: (site: SiteRef | undefined, error: unknown) => void
}

export class Look {
  readonly #parts: LookParts
  readonly #looks: SharedRun<void>
  readonly #heads = new Map<string, Oid | null>()
  /** Sites that moved and were not followed since. */
  readonly #behind = new Set<string>()
  readonly #follows = new Map<string, SharedRun<void>>()
  readonly #pace: NodeJS.Timeout
  #upTo: string | undefined

  constructor(parts: LookParts) {
    this.#parts = parts
    this.#looks = new SharedRun(() => this.#look())
    this.#pace = setInterval(() => void this.#followAll(), PACE_MS).unref()
  }

  /** Resolves when this machine has every commit of the site that was acknowledged before the call. Rejects where PostgreSQL does not answer. */
  async untilCurrent(site: SiteRef): Promise<void> {
    await this.#looks.after()
    if (this.#behind.has(site.id)) await this.#follow(site)
  }

  /** The same for all sites that `concerns`. */
  async untilAllCurrent(concerns: (site: SiteRef) => boolean): Promise<void> {
    await this.#looks.after()
    const sites = [...this.#behind].flatMap((id) => this.#parts.siteOf(id) ?? [])
    await Promise.all(sites.filter(concerns).map((site) => this.#follow(site)))
  }

  close(): void {
    clearInterval(this.#pace)
  }

  async #look(): Promise<void> {
    const { heads, upTo } = await this.#parts.moves(this.#upTo)
    for (const { site, head } of heads) {
      if (this.#heads.get(site) === head) continue
      this.#heads.set(site, head)
      this.#behind.add(site)
    }
    this.#upTo = upTo
  }

  /** Those who wait for a site share one replay; one that began before somebody's look may have read an older head. */
  async #follow(site: SiteRef): Promise<void> {
    const head = this.#heads.get(site.id)
    if (this.#parts.headOf(site) !== head) {
      const follow = this.#follows.get(site.id) ?? new SharedRun(() => this.#parts.follow(site))
      this.#follows.set(site.id, follow)
      await follow.after()
    }
    // Another look may have seen it move again.
    if (this.#heads.get(site.id) === head) this.#behind.delete(site.id)
  }

  async #followAll(): Promise<void> {
    try {
      await this.#looks.after()
    } catch (error) {
      return this.#parts.onFailure(undefined, error)
    }
    for (const id of this.#behind) {
      const site = this.#parts.siteOf(id)
      if (site !== undefined) await this.#follow(site).catch((error: unknown) => this.#parts.onFailure(site, error))
    }
  }
}
