// Who writes to the index first, among the threads of one process. SQLite lets a waiting thread look again every few
// milliseconds only, and would seldom find it free between the portions of long work: so who is at such work asks here
// whether others wait, and lets them through.

/** Nobody is waited for longer, milliseconds: a thread may have ended in the middle. */
const LONGEST_WAIT = 100

export class Turnstile {
  /** What other threads are given to make theirs of. */
  readonly memory: SharedArrayBuffer
  /** How many wait to write, or write. */
  readonly #waiting: Int32Array
  readonly #passed: Int32Array

  constructor(memory = new SharedArrayBuffer(8)) {
    this.memory = memory
    this.#waiting = new Int32Array(memory, 0, 1)
    this.#passed = new Int32Array(memory, 4, 1)
  }

  /** Runs work that others are to wait for. */
  pass<T>(work: () => T): T {
    Atomics.add(this.#waiting, 0, 1)
    try {
      return work()
    } finally {
      Atomics.add(this.#passed, 0, 1)
      Atomics.sub(this.#waiting, 0, 1)
      Atomics.notify(this.#waiting, 0)
    }
  }

  /** How often somebody has gone through so far; it wraps around. */
  get passed(): number {
    return Atomics.load(this.#passed, 0)
  }

  get isWanted(): boolean {
    return Atomics.load(this.#waiting, 0) > 0
  }

  /** Stands still until nobody waits any more. */
  letThrough(): void {
    const end = performance.now() + LONGEST_WAIT
    for (let rest = LONGEST_WAIT; this.isWanted && rest > 0; rest = end - performance.now()) {
      Atomics.wait(this.#waiting, 0, Atomics.load(this.#waiting, 0), rest)
    }
  }
}
