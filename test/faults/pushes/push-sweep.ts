// Pushes over HTTP, killed and refused by the system at their calls, as other operations are by the sweeps of theirs.

import { ERRORS, KILL } from '../ground/strace.js'
import type { FaultProgram } from '../program.js'
import { sweepByError } from '../sweeps/error-sweep.js'
import { sweepByKill } from '../sweeps/kill-sweep.js'
import { sweepPlanned } from '../sweeps/plan.js'
import { PUSHES } from './push-operations.js'

export const pushKills: FaultProgram = {
  name: 'push-kills',
  about:
    'kill -9 at each step of a plain push that changes the disk, of one that git and the hook judge, and of a large one',
  needs: ['strace'],
  run: (report) => sweepPlanned(PUSHES, [KILL], sweepByKill, report),
}

export const pushErrors: FaultProgram = {
  name: 'push-errors',
  about: 'each call of such a step of the same pushes fails with ENOSPC, EDQUOT, EIO and EMFILE',
  needs: ['strace'],
  run: (report) => sweepPlanned(PUSHES, ERRORS, sweepByError, report),
}
