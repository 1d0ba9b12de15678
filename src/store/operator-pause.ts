// Lets an operator's push win on a busy site. A push is refused when main moves between its reading and its
// lock, so fairness at the lock cannot help; instead main holds still for a moment after a git process has read
// the repository, which shows in the access time of its `config` file.

import { statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

/** How long main holds still after a git process was seen; as long again it may move in any case. */
const HOLD_MS = 300
/** A site is busy when it made this many batches within BUSY_WINDOW_MS: only then could a push starve. */
const BUSY_BATCHES = 4
const BUSY_WINDOW_MS = 500

export class OperatorPause {
  readonly #config: string
  #batches: number[] = []
  #heldUntil = 0
  #marked = false

  constructor(gitdir: string) {
    this.#config = join(gitdir, 'config')
  }

  /** Milliseconds for which the next batch should wait; 0 for none. `now` is a monotonic time in milliseconds. */
  holdFor(now: number): number {
    if (now < this.#heldUntil) return this.#heldUntil - now
    this.#batches = this.#batches.filter((at) => now - at < BUSY_WINDOW_MS)
    this.#batches.push(now)
    if (this.#batches.length < BUSY_BATCHES) {
      this.#marked = false
      return 0
    }
    const seen = this.#wasRead()
    if (!seen || now < this.#heldUntil + HOLD_MS) return 0
    this.#heldUntil = now + HOLD_MS
    return HOLD_MS
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
}
