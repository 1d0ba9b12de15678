// Moves refs for pushes that were received and judged, and keeps main still for a coming push.

import { setTimeout as pause } from 'node:timers/promises'
import { ServiceError } from '../../model/errors.js'
import type { MainMove, TagMove } from '../protocol/ref-moves.js'
import type { CommitOutcome } from '../protocol/repository.js'
import type { SiteRef } from '../protocol/write.js'
import type { WriterPool } from './writer-pool.js'

/** The time for which a push retries while another program has the ref locked, and the interval. */
const MAX_LOCKED_MS = 5000
const LOCK_RETRY_MS = 25
/** Calls of `expectPush` per push. Main is still by the second; the third allows for a busy writer. */
const MAX_EXPECTING_LOOKS = 3

export interface RefMoverParts {
  writers: Pick<WriterPool, 'moveMain' | 'moveTags' | 'expectPush'>
  reader: {
    /** Throws `site_not_found` for a site that was deleted. */
    refused: { refuseDeleted(site: SiteRef): void }
    /** Notes that main may have moved. */
    expire(slug: string): void
  }
  /** Whether main and tags are in a log that other machines follow. */
  isLogged: boolean
}

export class RefMover {
  readonly #parts: RefMoverParts
  readonly isLogged: boolean

  constructor(parts: RefMoverParts) {
    this.#parts = parts
    this.isLogged = parts.isLogged
  }

  /** Moves main; `moved` if main is not the parent of the commits. Durable and live when it resolves. Rejects with ServiceErrors. */
  async moveMain(site: SiteRef, move: MainMove): Promise<CommitOutcome> {
    return await this.#untilFree(site, () => this.#parts.writers.moveMain(site, move))
  }

  /** Moves tags in the site's log; `moved` if a tag is not as the push expects, or collides with others. Otherwise as `moveMain`. */
  async moveTags(site: SiteRef, move: TagMove): Promise<CommitOutcome> {
    return await this.#untilFree(site, () => this.#parts.writers.moveTags(site, move))
  }

  /** Prepares for a push to the head at the time this resolves: on a busy site main then holds still for a moment. */
  async expect(site: SiteRef): Promise<void> {
    const { writers, reader } = this.#parts
    for (let looks = 0; looks < MAX_EXPECTING_LOOKS; looks++) {
      const heldIn = await writers.expectPush(site)
      if (heldIn === 0) break
      await pause(heldIn)
    }
    reader.expire(site.slug)
  }

  /** Keeps main still on a busy site, for a push that is expected or comes in now. */
  holdStill(site: SiteRef): void {
    this.#parts.writers.expectPush(site).catch(() => undefined)
  }

  /** Tries again while another program holds the site. */
  async #untilFree(site: SiteRef, move: () => Promise<CommitOutcome>): Promise<CommitOutcome> {
    const { reader } = this.#parts
    const end = performance.now() + MAX_LOCKED_MS
    try {
      for (;;) {
        reader.refused.refuseDeleted(site)
        try {
          return await move()
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
