// Knowledge about the primary, shared by all threads of a process. A promoted standby begins a new timeline. The primary that it
// replaced may still answer, and does not know. So a process uses no server with an older timeline than the newest that it has met.

const TIMELINE = 0
const IS_UNSAFE = 1

/** Shared by all threads of one process through the same memory. */
export class KnownPrimary {
  readonly shared: SharedArrayBuffer
  readonly #known: Int32Array

  constructor(shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared
    this.#known = new Int32Array(shared)
  }

  /** Returns the newest timeline that any thread has met; 0 before the first. */
  timeline(): number {
    return Atomics.load(this.#known, TIMELINE)
  }

  noteTimeline(timeline: number): void {
    for (let seen = this.timeline(); seen < timeline; ) {
      const before = Atomics.compareExchange(this.#known, TIMELINE, seen, timeline)
      if (before === seen) return
      seen = before
    }
  }

  /** Whether a write there could be confirmed after another server has replaced it, by its settings as they were last read. */
  isUnsafe(): boolean {
    return Atomics.load(this.#known, IS_UNSAFE) === 1
  }

  noteUnsafe(isUnsafe: boolean): void {
    Atomics.store(this.#known, IS_UNSAFE, Number(isUnsafe))
  }
}
