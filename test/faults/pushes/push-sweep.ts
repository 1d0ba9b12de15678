// Pushes over HTTP, killed and refused by the system at their calls, as other operations are by the sweeps of theirs.

import type { Ground } from '../ground/ground.js'
import { ERRORS, type Harm, KILL } from '../ground/strace.js'
import type { FaultProgram, Report } from '../program.js'
import { sweepByError } from '../sweeps/error-sweep.js'
import { sweepByKill } from '../sweeps/kill-sweep.js'
import { runInLanes } from '../sweeps/lanes.js'
import { PUSHES } from './push-operations.js'

/** A push makes a hundred of each, and most of them change nothing: files that are read, and threads that wake one another. */
const SAMPLED: ReadonlySet<string> = new Set(['openat', 'write', 'read', 'pread64'])
const STRIDE = 8

export const pushKills: FaultProgram = {
  name: 'push-kills',
  about:
    'kill -9 at each system call of a plain push that changes the disk, of one that git and the hook judge, and of a large one',
  needs: ['strace'],
  run: (report) => sweepPushes([KILL], sweepByKill, report),
}

export const pushErrors: FaultProgram = {
  name: 'push-errors',
  about: 'each of these calls of the same pushes fails with ENOSPC, EDQUOT, EIO and EMFILE',
  needs: ['strace'],
  run: (report) => sweepPushes(ERRORS, sweepByError, report),
}

/** All calls that change the disk, and a sample of the others. */
async function sweepPushes(harms: readonly Harm[], sweep: typeof sweepByError, report: Report): Promise<void> {
  const ways = harms.flatMap((harm) => [
    { harm: withCalls(harm, (call) => !SAMPLED.has(call)), stride: 1 },
    { harm: withCalls(harm, (call) => SAMPLED.has(call)), stride: STRIDE },
  ])
  const jobs = PUSHES.flatMap((push) =>
    ways.map(
      ({ harm, stride }) =>
        (ground: Ground) =>
          sweep(ground, push, harm, report, stride),
    ),
  )
  await runInLanes(jobs, report)
}

function withCalls(harm: Harm, isMeant: (call: string) => boolean): Harm {
  return { ...harm, calls: harm.calls.filter(isMeant) }
}
