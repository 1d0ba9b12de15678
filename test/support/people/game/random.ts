// Random choices that a seed repeats.

/** Returns numbers from 0 to 1 (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  chance(share: number): boolean {
    return this.#next() < share
  }

  below(count: number): number {
    return Math.floor(this.#next() * count)
  }

  /** Throws for an empty list. */
  of<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)]
    if (found === undefined) throw new Error('there is nothing to choose')
    return found
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((value) => ({ value, at: this.#next() }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ value }) => value)
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
