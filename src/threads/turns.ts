// Who is served next: jobs that wait, by workspace. A workspace's own jobs keep their order; among workspaces, the one that
// has waited longest for a turn comes first.

export class Turns<Job> {
  readonly #maxWaiting: number
  /** The workspace whose turn is next comes first. */
  readonly #waiting = new Map<string, Job[]>()

  /** `maxWaiting` jobs of one workspace may wait. */
  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting
  }

  /** False where as many jobs of the workspace wait as may. */
  add(workspaceId: string, job: Job): boolean {
    const jobs = this.#waiting.get(workspaceId) ?? []
    if (jobs.length >= this.#maxWaiting) return false
    jobs.push(job)
    this.#waiting.set(workspaceId, jobs)
    return true
  }

  /** The next job of the first workspace in line that `mayRun`; that workspace then goes to the end of the line. */
  take(mayRun: (workspaceId: string) => boolean): { workspaceId: string; job: Job } | undefined {
    for (const [workspaceId, jobs] of this.#waiting) {
      if (!mayRun(workspaceId)) continue
      const job = jobs.shift()
      this.moveToEnd(workspaceId)
      if (job !== undefined) return { workspaceId, job }
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
    const jobs = [...this.#waiting.values()].flat()
    this.#waiting.clear()
    return jobs
  }
}
