// Moves refs for pushes that were received and judged, and keeps main still for a coming push.

import { setTimeout as pause } from 'node:timers/promises'
import { ServiceError } from '../../model/errors.js'
import type { MainMove, TagMove } from '../protocol/ref-moves.js'
import type { LiveCommits } from '../protocol/live-commits.js'
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
    expire(site: SiteRef): void
  }
  live: Pick<LiveCommits, 'tell'>
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

  /**
   * Moves main, or the branch of a change request; `moved` if it is not at the expected commit. Durable when it resolves, and main is live.
   * Rejects with ServiceErrors.
   */
  async moveMain(site: SiteRef, move: MainMove): Promise<CommitOutcome> {
    const outcome = await this.#untilFree(site, () => this.#parts.writers.moveMain(site, move))
    // A push of tags alone leaves main where it is, and a change request is not live.
    const isLive = outcome === 'done' && site.request === undefined && move.next !== move.expected
    if (isLive) this.#parts.live.tell({ site, commit: move.next })
    return outcome
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
    reader.expire(site)
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
      reader.expire(site)
    }
  }
}
