// Several jobs of a fault program at a time, each with a service of its own on a copy of data that were prepared once.

import { availableParallelism } from 'node:os'
import { Ground } from '../ground/ground.js'
import type { Report } from '../program.js'

/** More would only wait for one another, and the time limits of the cases are those of a machine that is not overloaded. */
const LANES = Math.min(2, availableParallelism())

/** Runs its cases one after the other. An exception counts as a violation, and the next job starts. */
export type Job = (ground: Ground) => Promise<void>

export async function runInLanes(jobs: readonly Job[], report: Report): Promise<void> {
  // One process is used: the harmed one also serves the pages that are read.
  const original = await Ground.prepare()
  try {
    await original.stop()
    const waiting = [...jobs]
    const lane = async () => {
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) await runOne(job, original, report)
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  } finally {
    await original.destroy()
  }
}

async function runOne(job: Job, original: Ground, report: Report): Promise<void> {
  const ground = await original.copy()
  try {
    await job(ground)
  } catch (error) {
    report.violate(error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    await ground.destroy()
  }
}
