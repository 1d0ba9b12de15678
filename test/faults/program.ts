// The interface between a fault program and its runner.

export interface FaultProgram {
  /** Its name in `npm run faults -- <name>`. */
  name: string
  /** One line: its effect on the service. */
  about: string
  needs: readonly Need[]
  /** Runs its cases one after the other. An exception counts as a violation. */
  run(report: Report): Promise<void>
}

export type Need = 'iproute2' | 'postgres' | 'previous' | 'prlimit' | 'root' | 'strace' | 'xfsprogs'

export interface Report {
  /** Begins a case and shows `what` as progress; `of` is the number of cases, if known. */
  begin(what: string, of?: number): void
  /** Counts writes that the service acknowledged; writes of a kind are also counted by that kind. */
  acknowledge(writes?: number, kind?: string): void
  /** Reports that an acknowledged write is missing or has other content. */
  lose(what: string): void
  /** Reports any other broken promise: a damaged repository, a wrong answer, a service that does not come back. */
  violate(what: string): void
  /** Reports a case that struck nothing, or a step of an operation that no case struck: nothing is known of it. */
  miss(what: string): void
}
