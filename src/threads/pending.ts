// Work that cannot go on now and is done again, from its start, later. It is thrown through plain synchronous code, which so
// needs no promises on its way: what it found until then is remembered, and finds itself again at once.

export type Resume = (retry: () => void, owner: string) => void

export class Pending extends Error {
  /**
   * Has `retry` called once the work can go on. `owner` is whose work it is: owners take turns. Throws `site_busy` where too
   * much work of that owner waits.
   */
  readonly resume: Resume

  constructor(resume: Resume) {
    super('the work goes on later')
    this.name = 'Pending'
    this.resume = resume
  }
}

/** Work that goes on once the promise is settled, either way. */
export function pendingUntil(settled: Promise<unknown>): Pending {
  return new Pending((retry) => void settled.then(retry, retry))
}

/** Does the work until it does not end in Pending. */
export async function untilDone<T>(owner: string, work: () => T): Promise<T> {
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof Pending)) throw error
      await new Promise<void>((retry) => error.resume(retry, owner))
    }
  }
}
