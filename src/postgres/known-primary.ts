// What all threads of a process know of the primary. A standby that is promoted begins a new timeline; the primary that it replaced may
// go on to answer, and knows nothing of it. So a process uses no server of an older timeline than the newest that it has met.

const TIMELINE = 0
const IS_UNSAFE = 1

/** Of one process: all its threads have the same memory. */
export class KnownPrimary {
  readonly shared: SharedArrayBuffer
  readonly #known: Int32Array

  constructor(shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared
    this.#known = new Int32Array(shared)
  }

  /** The newest timeline that any thread has met; 0 before the first. */
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

  /** Whether a write there could be confirmed after another server has replaced it, as of the last look at its settings. */
  isUnsafe(): boolean {
    return Atomics.load(this.#known, IS_UNSAFE) === 1
  }

  noteUnsafe(isUnsafe: boolean): void {
    Atomics.store(this.#known, IS_UNSAFE, Number(isUnsafe))
  }
}
