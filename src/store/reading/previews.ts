// Previews of drafts. They are kept in memory alone, so that nothing of them enters a repository, and within a bound of bytes:
// past it the preview that was not shown for the longest time is dropped.

import { LRUCache } from 'lru-cache'
import { toSeconds, toTimestamp, type Clock } from '../../model/clock.js'
import { makePreviewLabel } from '../../model/hosts/preview-label.js'
import type { Snapshot } from './snapshot.js'
import type { SiteDraft } from './site-draft.js'
import type { SiteRef } from '../protocol/write.js'

export interface PreviewLimits {
  /** How long a preview lasts. */
  previewSeconds: number
  /** Bound for all previews together. */
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
    // LRUCache refuses a bound of 0.
    this.#kept = new LRUCache({ maxSize: Math.max(limits.previewBytes, 1) })
  }

  /** The host label that shows the preview; undefined where the draft is larger than the bound. */
  keep(site: SiteRef, { base, snapshot, bytes }: SiteDraft): { label: string; expiresAt: string } | undefined {
    this.#dropExpired()
    const label = makePreviewLabel()
    const expiresAt = this.#now() + this.#limits.previewSeconds
    this.#kept.set(label, { site, base, snapshot, expiresAt }, { size: bytes + 1024 })
    return this.#kept.has(label) ? { label, expiresAt: toTimestamp(expiresAt) } : undefined
  }

  /** Undefined once the preview has expired. */
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
