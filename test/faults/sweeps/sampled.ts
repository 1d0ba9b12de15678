// Sweeps over operations that make a hundred calls of some kinds: all calls that change the disk are harmed, and a sample of the others.

import type { Ground } from '../ground/ground.js'
import type { Harm } from '../ground/strace.js'
import type { Report } from '../program.js'
import { runInLanes } from './lanes.js'
import type { Operation } from './operations.js'

/** Most of these calls change nothing: files that are read, and threads that wake one another. */
const SAMPLED: ReadonlySet<string> = new Set(['openat', 'write', 'read', 'pread64'])
const STRIDE = 8

type Sweep = (ground: Ground, operation: Operation, harm: Harm, report: Report, stride: number) => Promise<void>

export async function sweepSampled(
  operations: readonly Operation[],
  harms: readonly Harm[],
  sweep: Sweep,
  report: Report,
): Promise<void> {
  const ways = harms.flatMap((harm) => [
    { harm: withCalls(harm, (call) => !SAMPLED.has(call)), stride: 1 },
    { harm: withCalls(harm, (call) => SAMPLED.has(call)), stride: STRIDE },
  ])
  const jobs = operations.flatMap((operation) =>
    ways.map(
      ({ harm, stride }) =>
        (ground: Ground) =>
          sweep(ground, operation, harm, report, stride),
    ),
  )
  await runInLanes(jobs, report)
}

function withCalls(harm: Harm, isMeant: (call: string) => boolean): Harm {
  return { ...harm, calls: harm.calls.filter(isMeant) }
}
