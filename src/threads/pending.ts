// Thrown by synchronous code that cannot go on now. The caller waits, and runs the code again from its start. So the code in between
// needs no promises. Results found so far are remembered and found again at once.

export type Resume = (retry: () => void, owner: string) => void

export class Pending extends Error {
  /**
   * Calls `retry` once the work can go on. `owner` owns the work: owners take turns. Throws `site_busy` if too
   * much work of that owner waits.
   */
  readonly resume: Resume

  constructor(resume: Resume) {
    super('the work goes on later')
    this.name = 'Pending'
    this.resume = resume
  }
}

/** Returns a Pending for work that goes on once the promise is settled, either way. */
export function pendingUntil(settled: Promise<unknown>): Pending {
  return new Pending((retry) => void settled.then(retry, retry))
}

/** Runs the work until it no longer throws Pending. */
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
