// A fair queue of jobs by owner: the owner that has waited longest goes next. Within an owner its parts take turns too, such as the sites
// of a workspace. Jobs of one part keep their order.

export interface Patience<Job> {
  /** Milliseconds that a job may wait. */
  maxMs: number
  /** Called with a job that has waited that long and has left the queue. */
  onLate: (job: Job) => void
}

interface Waiting<Job> {
  job: Job
  part: string
  late: NodeJS.Timeout | undefined
}

/** The jobs of one owner by part. The part whose turn is next comes first. */
type Line<Job> = Map<string, Waiting<Job>[]>

export class FairQueue<Job> {
  readonly #maxWaiting: number
  readonly #patience: Patience<Job> | undefined
  /** The owner whose turn is next comes first. */
  readonly #lines = new Map<string, Line<Job>>()
  readonly #counts = new Map<string, number>()

  /** `maxWaiting` jobs of one owner may wait; without `patience` they wait without limit. */
  constructor(maxWaiting = Number.POSITIVE_INFINITY, patience?: Patience<Job>) {
    this.#maxWaiting = maxWaiting
    this.#patience = patience
  }

  /** The number of waiting jobs. */
  get size(): number {
    let size = 0
    for (const count of this.#counts.values()) size += count
    return size
  }

  /** Adds a job. False if the owner already has the most waiting jobs. */
  add(owner: string, job: Job, part = ''): boolean {
    const count = this.#counts.get(owner) ?? 0
    if (count >= this.#maxWaiting) return false
    const line: Line<Job> = this.#lines.get(owner) ?? new Map()
    const jobs = line.get(part) ?? []
    jobs.push({ job, part, late: this.#limit(owner, job, part) })
    line.set(part, jobs)
    this.#lines.set(owner, line)
    this.#counts.set(owner, count + 1)
    return true
  }

  /**
   * Takes the next job of the first owner that `mayRun`. That owner then goes to the end of the queue, and the job's part to the end of its
   * line.
   */
  take(mayRun: (owner: string) => boolean = () => true): { owner: string; job: Job } | undefined {
    for (const [owner, line] of this.#lines) {
      if (!mayRun(owner)) continue
      const [jobs = []] = line.values()
      const [next] = jobs
      if (next === undefined) continue
      this.#drop(owner, next)
      this.moveToEnd(owner)
      if (jobs.length > 0) {
        line.delete(next.part)
        line.set(next.part, jobs)
      }
      return { owner, job: next.job }
    }
    return undefined
  }

  /** Moves an owner that was just served to the end: those that waited meanwhile come first. */
  moveToEnd(owner: string): void {
    const line = this.#lines.get(owner)
    if (line === undefined) return
    this.#lines.delete(owner)
    this.#lines.set(owner, line)
  }

  /** Takes the job out of the queue. False if it does not wait there. */
  remove(owner: string, job: Job, part = ''): boolean {
    const waiting = this.#lines
      .get(owner)
      ?.get(part)
      ?.find((one) => one.job === job)
    if (waiting !== undefined) this.#drop(owner, waiting)
    return waiting !== undefined
  }

  /** Removes and returns all waiting jobs. */
  clear(): Job[] {
    const all = [...this.#lines.values()].flatMap((line) => [...line.values()].flat())
    this.#lines.clear()
    this.#counts.clear()
    for (const { late } of all) clearTimeout(late)
    return all.map(({ job }) => job)
  }

  #drop(owner: string, waiting: Waiting<Job>): void {
    clearTimeout(waiting.late)
    const line = this.#lines.get(owner)
    const jobs = line?.get(waiting.part) ?? []
    jobs.splice(jobs.indexOf(waiting), 1)
    if (jobs.length === 0) line?.delete(waiting.part)
    const count = (this.#counts.get(owner) ?? 1) - 1
    if (count > 0) this.#counts.set(owner, count)
    else {
      this.#counts.delete(owner)
      this.#lines.delete(owner)
    }
  }

  #limit(owner: string, job: Job, part: string): NodeJS.Timeout | undefined {
    if (this.#patience === undefined) return undefined
    const { maxMs, onLate } = this.#patience
    return setTimeout(() => this.remove(owner, job, part) && onLate(job), maxMs).unref()
  }
}
