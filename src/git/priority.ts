// Priorities of processes that the service starts: on a busy machine visitors and short requests come first.

import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { type StartedChild, startChild } from './start-child.js'

/** Niceness (nice(1)) of work that a client waits for. */
export const SERVING_NICENESS = 10
/** Niceness of work without a waiting client. */
export const BACKGROUND_NICENESS = 19
/**
 * Niceness that a program's session gets in addition. Linux shares processors among sessions, and each step costs a fifth of the share.
 * All threads of the service share one session, so many programs would outweigh it.
 */
export const MORE_FOR_A_PROGRAM = 5
const MOST_NICENESS = 19
/** Users without privileges may change the weight of one session every tenth of a second. */
const RETRY_MS = 100

/**
 * Starts a command below the priority of the service, with everything it starts. Setting the priority later would miss what the
 * command has started by then. `detached`: it leads its own process group and session. The session's niceness is that of the
 * processes plus `moreForSession`.
 */
export function startAt(
  niceness: number,
  command: readonly [string, ...string[]],
  options: SpawnOptions,
  moreForSession = 0,
): StartedChild {
  if (niceness === 0) return startChild(command, options)
  const started = startChild(['nice', '-n', String(niceness), ...command], options)
  const { child } = started
  if (child !== undefined && options.detached === true)
    lowerSession(child, Math.min(niceness + moreForSession, MOST_NICENESS))
  return started
}

/**
 * Sets the niceness of a session. Linux shares the processors among sessions first, and then by priority within each (sched(7), "The
 * autogroup feature"). Does nothing if the kernel does not do that.
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
