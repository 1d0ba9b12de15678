// A bound of bytes that many holders share. A holder may have at most as much as it leaves free: one alone half of all, the next
// half of what is left. So a holder that has nothing yet always finds some, whatever the others do.

/** Of one holder. Each costs memory while it waits, and an answer when its time is over, and all of them may end at once. */
const MAX_WAITING = 32
/** Of all holders together, where what they wait for is in memory already. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024

interface Waiting {
  holder: string
  bytes: number
  settle: (isTaken: boolean) => void
}

export class ByteBudget {
  /** What a holder that is alone may have. */
  readonly share: number
  #free: number
  #waitingBytes = 0
  readonly #held = new Map<string, number>()
  readonly #waiting = new Set<Waiting>()

  constructor(bytes: number) {
    this.#free = bytes
    this.share = Math.floor(bytes / 2)
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

  /** The same for bytes that are there already, whether they are counted or not: only 32 MiB of them wait. */
  async takeMadeWithin(milliseconds: number, holder: string, bytes: number): Promise<boolean> {
    if (this.take(holder, bytes)) return true
    if (this.#waitingBytes + bytes > MAX_WAITING_BYTES) return false
    this.#waitingBytes += bytes
    const isTaken = await this.takeWithin(milliseconds, holder, bytes)
    this.#waitingBytes -= bytes
    return isTaken
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
