// Which primary counts. A standby that is promoted begins a new timeline; the primary that it replaced may go on to answer, and knows
// nothing of it. So a process uses no server of an older timeline than the newest that it has met.

/** Of one process: all its threads have the same memory. */
export class NewestTimeline {
  readonly shared: SharedArrayBuffer
  readonly #newest: Int32Array

  constructor(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared
    this.#newest = new Int32Array(shared)
  }

  /** 0 before the first. */
  get(): number {
    return Atomics.load(this.#newest, 0)
  }

  note(timeline: number): void {
    for (let seen = this.get(); seen < timeline; ) {
      const before = Atomics.compareExchange(this.#newest, 0, seen, timeline)
      if (before === seen) return
      seen = before
    }
  }
}
