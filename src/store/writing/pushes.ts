// Moves main to commits that were received and judged, and keeps it still for whoever is about to push.

import { setTimeout as pause } from 'node:timers/promises'
import { ServiceError } from '../../model/errors.js'
import type { Push, TagMove } from '../protocol/push.js'
import type { SiteRef } from '../protocol/write.js'
import type { WriterPool } from './writer-pool.js'

/** How long a push tries for a ref that another program has locked, and how often. */
const MAX_LOCKED_MS = 5000
const LOCK_RETRY_MS = 25
/** Main holds still at the second look; the third is for a writer that was busy. */
const MAX_EXPECTING_LOOKS = 3

export interface PushesParts {
  writers: Pick<WriterPool, 'push' | 'moveTags' | 'expectPush'>
  reader: {
    /** Throws `site_not_found` for a site that was deleted. */
    refused: { refuseDeleted(site: SiteRef): void }
    /** Main may have moved. */
    expire(slug: string): void
  }
}

export class Pushes {
  readonly #parts: PushesParts

  constructor(parts: PushesParts) {
    this.#parts = parts
  }

  /** `moved` where main is not what the commits were made on. Durable and live when it resolves. Rejects with ServiceErrors. */
  async move(site: SiteRef, push: Push): Promise<'done' | 'moved'> {
    return await this.#untilFree(site, () => this.#parts.writers.push(site, push))
  }

  /** On a node: `moved` where a tag is not what the push was made on, or cannot stand beside the others. Otherwise as `move`. */
  async moveTags(site: SiteRef, move: TagMove): Promise<'done' | 'moved'> {
    return await this.#untilFree(site, () => this.#parts.writers.moveTags(site, move))
  }

  /** Somebody is about to push to what main is once this resolves: on a busy site main then holds still for a moment. */
  async expect(site: SiteRef): Promise<void> {
    const { writers, reader } = this.#parts
    for (let looks = 0; looks < MAX_EXPECTING_LOOKS; looks++) {
      const heldIn = await writers.expectPush(site, false)
      if (heldIn === 0) break
      await pause(heldIn)
    }
    reader.expire(site.slug)
  }

  /** On a busy site main goes on to hold still, for a push that is expected or comes in now. */
  holdStill(site: SiteRef, isComingIn = false): void {
    this.#parts.writers.expectPush(site, isComingIn).catch(() => undefined)
  }

  /** Tries again while another program holds the site. */
  async #untilFree(site: SiteRef, push: () => Promise<'done' | 'moved'>): Promise<'done' | 'moved'> {
    const { reader } = this.#parts
    const end = performance.now() + MAX_LOCKED_MS
    try {
      for (;;) {
        reader.refused.refuseDeleted(site)
        try {
          return await push()
        } catch (error) {
          const isLocked = error instanceof ServiceError && error.code === 'site_busy'
          if (!isLocked || performance.now() > end) throw error
        }
        await pause(LOCK_RETRY_MS)
      }
    } finally {
      reader.expire(site.slug)
    }
  }
}
