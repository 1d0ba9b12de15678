// A bound of bytes that many holders share. A holder may have at most as much as it leaves free: one alone half of all, the next
// half of what is left. So a holder that has nothing yet always finds some, whatever the others do.

/** Of one holder. Each costs memory while it waits, and an answer when its time is over, and all of them may end at once. */
const MAX_WAITING = 32

interface Waiting {
  holder: string
  bytes: number
  settle: (isTaken: boolean) => void
}

export class ByteBudget {
  #free: number
  readonly #held = new Map<string, number>()
  readonly #waiting = new Set<Waiting>()

  constructor(bytes: number) {
    this.#free = bytes
  }

  /** Whether the bytes are the holder's from now on; it gives them back with `give`. */
  take(holder: string, bytes: number): boolean {
    const held = (this.#held.get(holder) ?? 0) + bytes
    if (held > this.#free - bytes) return false
    this.#held.set(holder, held)
    this.#free -= bytes
    return true
  }

  /**
   * The same, and waits for bytes that others give back, unless 32 of the holder wait already. Who waits for less goes ahead of who waits
   * for what is not there yet.
   */
  async takeWithin(milliseconds: number, holder: string, bytes: number): Promise<boolean> {
    if (this.take(holder, bytes)) return true
    if (this.#waitingOf(holder) >= MAX_WAITING) return false
    return await new Promise((resolve) => {
      const waiting: Waiting = {
        holder,
        bytes,
        settle: (isTaken) => {
          clearTimeout(late)
          this.#waiting.delete(waiting)
          resolve(isTaken)
        },
      }
      const late = setTimeout(() => waiting.settle(false), milliseconds)
      this.#waiting.add(waiting)
    })
  }

  #waitingOf(holder: string): number {
    let count = 0
    for (const waiting of this.#waiting) if (waiting.holder === holder) count++
    return count
  }

  give(holder: string, bytes: number): void {
    const left = (this.#held.get(holder) ?? 0) - bytes
    if (left > 0) this.#held.set(holder, left)
    else this.#held.delete(holder)
    this.#free += bytes
    for (const waiting of this.#waiting) if (this.take(waiting.holder, waiting.bytes)) waiting.settle(true)
  }
}
