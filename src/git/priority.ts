// The priority of programs that the service starts: where the machine is busy, visitors and short requests come before them.

import { setPriority } from 'node:os'

/** Of nice(1), for work that a client waits for. */
export const SERVING_NICENESS = 10
/** For work that nobody waits for. */
export const BACKGROUND_NICENESS = 19

/** For the process and all that it starts. It may have ended by now, or never have begun. */
export function setNiceness(pid: number | undefined, niceness: number): void {
  if (pid === undefined) return
  try {
    setPriority(pid, niceness)
  } catch {
    return
  }
}
