// The priority of processes that the service starts: where the machine is busy, visitors and short requests come before them.

import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { writeFileSync } from 'node:fs'

/** Of nice(1), for work that a client waits for. */
export const SERVING_NICENESS = 10
/** For work that nobody waits for. */
export const BACKGROUND_NICENESS = 19
/**
 * For the session of a program, beside the niceness of the program. Many run at a time, each with a session of its own, and all threads of
 * the service share the weight of one: each step makes a weight smaller by a fifth.
 */
export const MORE_FOR_A_PROGRAM = 5
const MOST_NICENESS = 19
/** Users without privileges change the weight of one session in a tenth of a second. */
const RETRY_MS = 100

/**
 * Spawns a command below the priority of the service, with all that it starts: a priority that is set once the command runs is not
 * that of what it has started by then. `detached`: it leads a process group and a session of its own, whose niceness is that of its
 * processes and `moreForSession`.
 */
export function spawnAt(
  niceness: number,
  [program, ...args]: readonly [string, ...string[]],
  options: SpawnOptions,
  moreForSession = 0,
): ChildProcess {
  if (niceness === 0) return spawn(program, args, options)
  const child = spawn('nice', ['-n', String(niceness), program, ...args], options)
  if (options.detached === true) lowerSession(child, Math.min(niceness + moreForSession, MOST_NICENESS))
  return child
}

/**
 * Linux shares the processors among sessions first, and weighs the priorities of processes within each (sched(7), "The autogroup
 * feature"): so the session of a process gets a niceness too. Nothing where the kernel does not do that.
 */
function lowerSession(leader: ChildProcess, niceness: number): void {
  if (leader.pid === undefined || leader.exitCode !== null || leader.signalCode !== null) return
  try {
    writeFileSync(`/proc/${leader.pid}/autogroup`, String(niceness))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN')
      setTimeout(() => lowerSession(leader, niceness), RETRY_MS).unref()
  }
}
