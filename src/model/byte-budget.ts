// A limit of bytes that many holders share. A holder may have at most as much as it leaves free: one alone half of all, the next
// half of the rest. So a new holder always finds some free bytes.

/** Limit for one holder. Each waiting request costs memory, and an answer when its time is over, and all may end at once. */
const MAX_WAITING = 32
/** Limit for all holders together, if the bytes that they wait to count are already in memory. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024

interface Waiting {
  holder: string
  bytes: number
  settle: (isTaken: boolean) => void
}

export class ByteBudget {
  /** Most bytes for a holder that is alone. */
  readonly share: number
  #free: number
  #waitingBytes = 0
  readonly #held = new Map<string, number>()
  readonly #waiting = new Set<Waiting>()

  constructor(bytes: number) {
    this.#free = bytes
    this.share = Math.floor(bytes / 2)
  }

  /** Takes the bytes for the holder, and returns whether that was possible; `give` gives them back. */
  take(holder: string, bytes: number): boolean {
    const held = (this.#held.get(holder) ?? 0) + bytes
    if (held > this.#free - bytes) return false
    this.#held.set(holder, held)
    this.#free -= bytes
    return true
  }

  /**
   * Does the same, and waits for bytes that others give back, unless 32 requests of the holder already wait. A smaller request may pass
   * a larger one for which there is no room yet.
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

  /** Does the same for bytes that are already in memory, counted or not: at most 32 MiB of them wait. */
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
