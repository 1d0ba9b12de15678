// What a fault program is to the runner, and what it reports.

export interface FaultProgram {
  /** What `npm run faults -- <name>` calls it. */
  name: string
  /** One line: what it does to the service. */
  about: string
  needs: readonly Need[]
  /** Tries its cases one after the other. What it throws counts as a violation. */
  run(report: Report): Promise<void>
}

export type Need = 'prlimit' | 'root' | 'strace' | 'xfsprogs'

export interface Report {
  /** One case begins; `what` is shown as progress, beside `of` when it is known how many there will be. */
  begin(what: string, of?: number): void
  /** The service answered so many writes as done. */
  acknowledge(writes?: number): void
  /** An acknowledged write is gone, or not what was written. */
  lose(what: string): void
  /** Anything else that must not be: a damaged repository, a wrong answer, a service that does not come back. */
  violate(what: string): void
}
