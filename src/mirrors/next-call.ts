// A call that is due by the earliest of the times that were asked for.

export class NextCall {
  readonly #call: () => void
  #timer: NodeJS.Timeout | undefined
  /** On the monotonic clock, milliseconds. */
  #at = 0

  constructor(call: () => void) {
    this.#call = call
  }

  /** At the latest in so many milliseconds. A call that is planned sooner stays: who asks again and again does not put it off. */
  within(ms: number): void {
    const at = performance.now() + ms
    if (this.#timer !== undefined && this.#at <= at) return
    this.cancel()
    this.#at = at
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#call()
    }, ms).unref()
  }

  cancel(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
