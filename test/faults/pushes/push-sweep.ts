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
    'kill -9 at each system call that may change a file, of a push that is plain, judged by git, large, or for a change request',
  needs: ['strace'],
  run: (report) => sweepPlanned(PUSHES, [KILL], sweepByKill, report),
}

export const pushErrors: FaultProgram = {
  name: 'push-errors',
  about:
    'each of these calls of the same pushes, and the first and last read of each kind of file, fails with ENOSPC, EDQUOT, EIO and EMFILE',
  needs: ['strace'],
  run: (report) => sweepPlanned(PUSHES, ERRORS, sweepByError, report),
}
