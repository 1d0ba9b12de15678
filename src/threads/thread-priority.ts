// The priority of threads with long work: where the machine is busy, those that serve come before them.

import { setPriority } from 'node:os'

/** Of nice(1), for work that somebody waits for, as tasks have. */
export const LONG_WORK_NICENESS = 5

/** Lowers the priority of this thread. On Linux alone a thread has one of its own (setpriority(2)): nothing elsewhere. */
export function lowerThread(niceness: number): void {
  if (process.platform === 'linux') setPriority(niceness)
}
