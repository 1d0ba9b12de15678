// Plans a call for the earliest of the requested times.

export class NextCall {
  readonly #call: () => void
  #timer: NodeJS.Timeout | undefined
  /** On the monotonic clock, milliseconds. */
  #at = 0

  constructor(call: () => void) {
    this.#call = call
  }

  /** Calls within `ms`. An earlier planned call stays, so that repeated requests do not postpone it. */
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
