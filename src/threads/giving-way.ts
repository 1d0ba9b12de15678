// Who gives way to the threads that serve: where the processors are busy, and where the memory of the machine, or of the service's group,
// is used up.

import { setPriority } from 'node:os'

/** Of nice(1), for long work that somebody waits for. */
export const LONG_WORK_NICENESS = 5

/** Lowers the priority of this thread. On Linux alone a thread has one of its own (setpriority(2)): nothing elsewhere. */
export function lowerThread(niceness: number): void {
  if (process.platform === 'linux') setPriority(niceness)
}

/**
 * Of oom_score_adj, proc(5), which goes from -1000 to 1000: a process with so much is ended before the ones that serve, whatever these
 * take. It costs one request, which can be sent again.
 */
export const KILLED_FIRST = 900
