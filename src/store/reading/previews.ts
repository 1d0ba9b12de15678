// Drafts that can be looked at for a while: in memory alone, so that nothing of them is ever in a repository, and within
// a bound of bytes, past which the one not looked at for the longest goes.

import { LRUCache } from 'lru-cache'
import { toSeconds, toTimestamp, type Clock } from '../../model/clock.js'
import { makePreviewLabel } from '../../model/hosts/preview-label.js'
import type { Snapshot } from './snapshot.js'
import type { SiteDraft } from './site-draft.js'
import type { SiteRef } from '../protocol/write.js'

export interface PreviewLimits {
  /** How long one lasts. */
  previewSeconds: number
  /** Of all of them together. */
  previewBytes: number
}

/** A site as a draft would leave it. */
export interface Preview {
  site: SiteRef
  /** The head that the draft was built on. */
  base: Snapshot
  snapshot: Snapshot
  /** Seconds since the epoch. */
  expiresAt: number
}

export class Previews {
  readonly #limits: PreviewLimits
  readonly #clock: Clock
  readonly #kept: LRUCache<string, Preview>

  constructor(limits: PreviewLimits, clock: Clock) {
    this.#limits = limits
    this.#clock = clock
    // The cache takes no bound of 0.
    this.#kept = new LRUCache({ maxSize: Math.max(limits.previewBytes, 1) })
  }

  /** The label that shows it; undefined for one that is larger than the bound. */
  keep(site: SiteRef, { base, snapshot, bytes }: SiteDraft): { label: string; expiresAt: string } | undefined {
    this.#dropExpired()
    const label = makePreviewLabel()
    const expiresAt = this.#now() + this.#limits.previewSeconds
    this.#kept.set(label, { site, base, snapshot, expiresAt }, { size: bytes + 1024 })
    return this.#kept.has(label) ? { label, expiresAt: toTimestamp(expiresAt) } : undefined
  }

  /** Undefined once it is over. */
  find(label: string): Preview | undefined {
    const preview = this.#kept.get(label)
    return preview === undefined || preview.expiresAt <= this.#now() ? undefined : preview
  }

  #dropExpired(): void {
    for (const [label, { expiresAt }] of Array.from(this.#kept.entries())) {
      if (expiresAt <= this.#now()) this.#kept.delete(label)
    }
  }

  #now(): number {
    return toSeconds(this.#clock())
  }
}
