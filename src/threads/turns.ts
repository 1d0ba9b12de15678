// Who is served next: jobs that wait, by workspace. A workspace's own jobs keep their order; among workspaces, the one that
// has waited longest for a turn comes first.

export interface Patience<Job> {
  /** Milliseconds that a job may wait. */
  maxMs: number
  /** Given a job that has waited so long, and waits no more. */
  onLate: (job: Job) => void
}

interface Waiting<Job> {
  job: Job
  late: NodeJS.Timeout | undefined
}

export class Turns<Job> {
  readonly #maxWaiting: number
  readonly #patience: Patience<Job> | undefined
  /** The workspace whose turn is next comes first. */
  readonly #waiting = new Map<string, Waiting<Job>[]>()

  /** `maxWaiting` jobs of one workspace may wait: as long as it takes where no `patience` is given. */
  constructor(maxWaiting: number, patience?: Patience<Job>) {
    this.#maxWaiting = maxWaiting
    this.#patience = patience
  }

  /** False where as many jobs of the workspace wait as may. */
  add(workspaceId: string, job: Job): boolean {
    const jobs = this.#waiting.get(workspaceId) ?? []
    if (jobs.length >= this.#maxWaiting) return false
    jobs.push({ job, late: this.#limit(workspaceId, job) })
    this.#waiting.set(workspaceId, jobs)
    return true
  }

  /** The next job of the first workspace in line that `mayRun`; that workspace then goes to the end of the line. */
  take(mayRun: (workspaceId: string) => boolean): { workspaceId: string; job: Job } | undefined {
    for (const [workspaceId, jobs] of this.#waiting) {
      if (!mayRun(workspaceId)) continue
      const next = jobs.shift()
      this.moveToEnd(workspaceId)
      if (next === undefined) continue
      clearTimeout(next.late)
      return { workspaceId, job: next.job }
    }
    return undefined
  }

  /** For a workspace that was just served: those that waited meanwhile come first. */
  moveToEnd(workspaceId: string): void {
    const jobs = this.#waiting.get(workspaceId) ?? []
    this.#waiting.delete(workspaceId)
    if (jobs.length > 0) this.#waiting.set(workspaceId, jobs)
  }

  /** Every job that waits; none waits afterwards. */
  clear(): Job[] {
    const all = [...this.#waiting.values()].flat()
    this.#waiting.clear()
    for (const { late } of all) clearTimeout(late)
    return all.map(({ job }) => job)
  }

  #limit(workspaceId: string, job: Job): NodeJS.Timeout | undefined {
    if (this.#patience === undefined) return undefined
    const { maxMs, onLate } = this.#patience
    const leave = () => {
      const others = (this.#waiting.get(workspaceId) ?? []).filter((one) => one.job !== job)
      if (others.length === 0) this.#waiting.delete(workspaceId)
      else this.#waiting.set(workspaceId, others)
      onLate(job)
    }
    return setTimeout(leave, maxMs).unref()
  }
}
