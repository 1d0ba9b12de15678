// Commands of git that serve a client: streamed both ways, ended with the client, and of less weight than the service itself.

import { spawn } from 'node:child_process'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { environment } from './command.js'
import { niceCommand, SERVING_NICENESS } from './priority.js'
import { startTurn } from './start-turn.js'

/** For a command that is asked to end, to remove its temporary files. */
const KILL_MS = 1000

/** A command that runs: what it reads, what it prints, and its end. */
export interface RunningGit {
  stdin: Writable
  stdout: Readable
  /** Resolves with the exit code; undefined where the command was ended or did not start. */
  ended: Promise<number | undefined>
  /** Ends the command and all that it started. */
  stop: () => void
}

export interface StartOptions {
  maxMs: number
  /** Where the objects are, for a folder that has none of its own. */
  objects: string
  /** The protocol that the client speaks (git, "GIT_PROTOCOL"). */
  protocol: 0 | 1 | 2
}

/**
 * Starts a command that serves a client: in a process group of its own, at a priority below that of the service. It is ended after
 * `maxMs`.
 */
export async function startGit(gitdir: string, args: readonly string[], options: StartOptions): Promise<RunningGit> {
  const { maxMs, objects, protocol } = options
  const given = { GIT_OBJECT_DIRECTORY: path.resolve(objects), GIT_PROTOCOL: `version=${protocol}` }
  const [program, ...words] = niceCommand(['git', `--git-dir=${gitdir}`, ...args], SERVING_NICENESS)
  await startTurn()
  const git = spawn(program, words, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...environment('none'), ...given },
    detached: true,
  })
  const { pid } = git
  let kill: NodeJS.Timeout | undefined
  const stop = () => {
    // The number of a process that has ended may be another one's.
    if (pid === undefined || kill !== undefined || git.exitCode !== null || git.signalCode !== null) return
    endGroup(pid, 'SIGTERM')
    kill = setTimeout(() => endGroup(pid, 'SIGKILL'), KILL_MS)
  }
  const late = setTimeout(stop, maxMs)
  git.once('exit', () => {
    clearTimeout(late)
    clearTimeout(kill)
  })
  const ended = new Promise<number | undefined>((resolve) => {
    git.once('error', () => resolve(undefined))
    git.once('close', (code) => resolve(code ?? undefined))
  })
  // git may end before it has read everything.
  git.stdin.on('error', () => undefined)
  return { stdin: git.stdin, stdout: git.stdout, ended, stop }
}

/** The group is named by the process that began it, and goes with the last process in it. */
function endGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    return
  }
}
