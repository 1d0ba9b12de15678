// Lets one thread of the process write to the index before the others. A thread that waits for SQLite's lock looks at it
// every few milliseconds only, and seldom finds it free between the transactions of long work. So the thread with long work
// asks here, between two transactions, whether another one wants to write, and waits until it has.

/** A thread may end in the middle of a write: nobody waits for it longer than this. */
const MAX_WAIT_MS = 100

export class WriteGate {
  /** Shared memory: pass it to another thread to build its end of the gate. */
  readonly memory: SharedArrayBuffer
  /** How many writers are announced, wait or write. */
  readonly #writers: Int32Array
  readonly #finished: Int32Array
  /** 1 while long work is in a transaction. */
  readonly #held: Int32Array
  readonly #maxWaitMs: number
  #heldMs = 0

  constructor(memory = new SharedArrayBuffer(12), maxWaitMs = MAX_WAIT_MS) {
    this.memory = memory
    this.#maxWaitMs = maxWaitMs
    this.#writers = new Int32Array(memory, 0, 1)
    this.#finished = new Int32Array(memory, 4, 1)
    this.#held = new Int32Array(memory, 8, 1)
  }

  /**
   * Runs a transaction of long work; meanwhile `isHeld`, and who serves requests need not block for it. A write that was announced comes
   * first: of two threads that begin at once, the one that announces and then looks whether the gate is held never meets the other.
   */
  hold<T>(transaction: () => T): T {
    this.#claim()
    const began = performance.now()
    try {
      return transaction()
    } finally {
      Atomics.store(this.#held, 0, 0)
      this.#heldMs += performance.now() - began
    }
  }

  #claim(): void {
    Atomics.store(this.#held, 0, 1)
    if (!this.isWanted) return
    Atomics.store(this.#held, 0, 0)
    this.giveWay()
    Atomics.store(this.#held, 0, 1)
  }

  /** Milliseconds that the transactions of `hold` have taken at this end of the gate. */
  get heldMs(): number {
    return this.#heldMs
  }

  get isHeld(): boolean {
    return Atomics.load(this.#held, 0) === 1
  }

  /** A thread that died in the middle of a transaction holds the gate no more: SQLite has rolled back. */
  release(): void {
    Atomics.store(this.#held, 0, 0)
  }

  /**
   * Says that a write comes as soon as the gate is free: long work ends its transaction and waits for it. Call what is returned once
   * it was done, or given up.
   */
  announce(): () => void {
    Atomics.add(this.#writers, 0, 1)
    return () => {
      Atomics.sub(this.#writers, 0, 1)
      Atomics.notify(this.#writers, 0)
    }
  }

  /** Runs a write that threads with long work wait for. */
  writeFirst<T>(write: () => T): T {
    const done = this.announce()
    try {
      return write()
    } finally {
      Atomics.add(this.#finished, 0, 1)
      done()
    }
  }

  /** How many writes `writeFirst` has finished; it wraps around. */
  get finished(): number {
    return Atomics.load(this.#finished, 0)
  }

  get isWanted(): boolean {
    return Atomics.load(this.#writers, 0) > 0
  }

  /** Blocks this thread until nobody wants to write first, or one write is done: else long work would never go on beside many. Not for ever. */
  giveWay(): void {
    const end = performance.now() + this.#maxWaitMs
    const { finished } = this
    for (let left = this.#maxWaitMs; this.isWanted && this.finished === finished && left > 0; ) {
      Atomics.wait(this.#writers, 0, Atomics.load(this.#writers, 0), left)
      left = end - performance.now()
    }
  }
}
