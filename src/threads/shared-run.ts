// Work whose result serves all callers that came before it began: at most one run at a time; callers meanwhile share the next one.

export class SharedRun<T> {
  readonly #run: () => Promise<T>
  #current: Promise<T> | undefined
  #next: Promise<T> | undefined

  constructor(run: () => Promise<T>) {
    this.#run = run
  }

  /** Resolves with the result of a run that begins after this call. */
  after(): Promise<T> {
    if (this.#next !== undefined) return this.#next
    if (this.#current === undefined) return this.#begin()
    const begin = () => this.#begin()
    this.#next = this.#current.then(begin, begin)
    return this.#next
  }

  #begin(): Promise<T> {
    this.#next = undefined
    const run = this.#run().finally(() => {
      if (this.#current === run) this.#current = undefined
    })
    this.#current = run
    return run
  }
}
