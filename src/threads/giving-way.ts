// Sets priorities: some threads and processes yield to those that serve. It counts when the processors are busy, or the memory of the
// machine or of the service's group runs out.

import { setPriority } from 'node:os'

/** Niceness (nice(1)) of long work that a client waits for. */
export const LONG_WORK_NICENESS = 5

/** Lowers the priority of this thread. Does nothing except on Linux: only there a thread has its own priority (setpriority(2)). */
export function lowerThread(niceness: number): void {
  if (process.platform === 'linux') setPriority(niceness)
}

/**
 * Value of oom_score_adj (proc(5)), from -1000 to 1000. A process with this value is ended before those that serve, however much
 * memory they use. That costs one request, which can be sent again.
 */
export const KILLED_FIRST = 900
