// Lets an operator's push win on a busy site. A push is refused when main moves between its reading and its
// lock, so fairness at the lock cannot help; instead main holds still while git processes are seen at work in the
// repository: one that began to read shows in the access time of `config`, a push that comes in by its quarantine folder.

import { readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

/** How long main holds still after git was last seen: a pull, a rebase and the start of a push fit in. */
const HOLD_MS = 400
/**
 * How long it holds still at most; then it may move for half as long, so that writers always have a third of the time.
 * More would let an operator try in vain for longer than patience lasts.
 */
const LONGEST_HOLD_MS = 1200
/** A site is busy when it made this many batches within BUSY_WINDOW_MS: only then could a push starve. */
const BUSY_BATCHES = 2
const BUSY_WINDOW_MS = 1000
/** git-receive-pack keeps what comes in here until its hooks agree (git-receive-pack, "Quarantine environment"). */
const QUARANTINE = /^(?:tmp_objdir-)?incoming-/
/** A push that ended badly may leave its folder behind. */
const QUARANTINE_AGE_MS = 10_000

/** Monotonic milliseconds. */
interface Hold {
  since: number
  until: number
}

export class OperatorPause {
  readonly #gitdir: string
  readonly #config: string
  #batches: number[] = []
  #hold: Hold | undefined
  #freeUntil = 0
  /** When git was last seen, -Infinity for never. */
  #seenAt = Number.NEGATIVE_INFINITY
  #marked = false

  constructor(gitdir: string) {
    this.#gitdir = gitdir
    this.#config = join(gitdir, 'config')
  }

  /** Milliseconds for which the next batch should wait; 0 for none. `now` is a monotonic time in milliseconds. */
  holdFor(now: number): number {
    if (this.#hold !== undefined) {
      if (now < this.#hold.until) return this.#hold.until - now
      if (now - this.#hold.since < LONGEST_HOLD_MS && this.#isGitAtWork()) return this.#holdOn(this.#hold, now)
      this.#freeUntil = now + (now - this.#hold.since) / 2
      this.#hold = undefined
    }
    // What is seen while main must be free to move counts as soon as that is over.
    if (this.#isGitAtWork()) this.#seenAt = now
    if (!this.#isBusy(now) || now < this.#freeUntil || now - this.#seenAt > HOLD_MS) return 0
    this.#hold = { since: now, until: now }
    return this.#holdOn(this.#hold, now)
  }

  #holdOn(hold: Hold, now: number): number {
    hold.until = Math.min(now + HOLD_MS, hold.since + LONGEST_HOLD_MS)
    return hold.until - now
  }

  #isBusy(now: number): boolean {
    this.#batches = this.#batches.filter((at) => now - at < BUSY_WINDOW_MS)
    this.#batches.push(now)
    return this.#batches.length >= BUSY_BATCHES
  }

  #isGitAtWork(): boolean {
    const read = this.#wasRead()
    return read || this.#isPushComingIn()
  }

  /** True when someone read the file since the last look. The mark is an access time before the modification, which `relatime` mounts move too. */
  #wasRead(): boolean {
    try {
      const { atimeMs, mtime, mtimeMs } = statSync(this.#config)
      const read = this.#marked && atimeMs >= mtimeMs
      if (!this.#marked || read) utimesSync(this.#config, new Date(mtimeMs - 2000), mtime)
      this.#marked = true
      return read
    } catch {
      return false
    }
  }

  #isPushComingIn(): boolean {
    try {
      const objects = join(this.#gitdir, 'objects')
      return readdirSync(objects).some(
        (name) => QUARANTINE.test(name) && Date.now() - statSync(join(objects, name)).mtimeMs < QUARANTINE_AGE_MS,
      )
    } catch {
      // Gone since it was listed: that push has ended.
      return false
    }
  }
}
