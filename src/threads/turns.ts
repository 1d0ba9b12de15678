// A fair queue of jobs by workspace: the workspace that has waited longest goes next. Jobs of one workspace keep their
// order.

export interface Patience<Job> {
  /** Milliseconds that a job may wait. */
  maxMs: number
  /** Called with a job that has waited that long and has left the queue. */
  onLate: (job: Job) => void
}

interface Waiting<Job> {
  job: Job
  late: NodeJS.Timeout | undefined
}

export class Turns<Job> {
  readonly #maxWaiting: number
  readonly #patience: Patience<Job> | undefined
  /** In the order of their turns. */
  readonly #waiting = new Map<string, Waiting<Job>[]>()

  /** `maxWaiting` jobs of one workspace may wait; without `patience` they wait without limit. */
  constructor(maxWaiting: number, patience?: Patience<Job>) {
    this.#maxWaiting = maxWaiting
    this.#patience = patience
  }

  /** The number of waiting jobs. */
  get size(): number {
    let jobs = 0
    for (const waiting of this.#waiting.values()) jobs += waiting.length
    return jobs
  }

  /** Adds a job. False if the workspace already has the most waiting jobs. */
  add(workspaceId: string, job: Job): boolean {
    const jobs = this.#waiting.get(workspaceId) ?? []
    if (jobs.length >= this.#maxWaiting) return false
    jobs.push({ job, late: this.#limit(workspaceId, job) })
    this.#waiting.set(workspaceId, jobs)
    return true
  }

  /** Takes the next job of the first workspace that `mayRun`; that workspace then goes to the end of the queue. */
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

  /** Moves a workspace that was just served to the end: those that waited meanwhile come first. */
  moveToEnd(workspaceId: string): void {
    const jobs = this.#waiting.get(workspaceId) ?? []
    this.#waiting.delete(workspaceId)
    if (jobs.length > 0) this.#waiting.set(workspaceId, jobs)
  }

  /** Removes and returns all waiting jobs. */
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
