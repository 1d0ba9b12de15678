// Change requests, killed and refused by the system at their calls, as other operations are by the sweeps of theirs.

import { ERRORS, KILL } from '../ground/strace.js'
import type { FaultProgram } from '../program.js'
import { sweepByError } from './error-sweep.js'
import { sweepByKill } from './kill-sweep.js'
import { sweepPlanned } from './plan.js'
import { REQUEST_OPERATIONS } from './request-operations.js'

export const requestKills: FaultProgram = {
  name: 'request-kills',
  about:
    'kill -9 at each system call that may change a file, while a change request is begun, written, updated, published, closed, reopened or deleted',
  needs: ['strace'],
  run: (report) => sweepPlanned(REQUEST_OPERATIONS, [KILL], sweepByKill, report),
}

export const requestErrors: FaultProgram = {
  name: 'request-errors',
  about:
    'each of these calls, and the first and last read of each kind of file, fails with ENOSPC, EDQUOT, EIO and EMFILE',
  needs: ['strace'],
  run: (report) => sweepPlanned(REQUEST_OPERATIONS, ERRORS, sweepByError, report),
}
