// Commands of git that serve a client: streamed both ways, ended with the client, and of less weight than the service itself.

import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { environment } from './command.js'
import { SERVING_NICENESS } from './priority.js'
import { startProgram } from './start-program.js'

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
  const program = {
    command: ['git', `--git-dir=${gitdir}`, ...args] as const,
    niceness: SERVING_NICENESS,
    env: { ...environment('none'), ...given },
    leadsGroup: true,
  }
  const git = await startProgram(program)
  let kill: NodeJS.Timeout | undefined
  let isOver = false
  const stop = () => {
    if (isOver || kill !== undefined) return
    git.kill('SIGTERM')
    kill = setTimeout(() => git.kill('SIGKILL'), KILL_MS)
  }
  const late = setTimeout(stop, maxMs)
  const ended = git.ended.then(({ exitCode }) => {
    isOver = true
    clearTimeout(late)
    clearTimeout(kill)
    git.stdin.destroy()
    return exitCode ?? undefined
  })
  // git may end before it has read everything.
  git.stdin.on('error', () => undefined)
  git.stderr.resume()
  return { stdin: git.stdin, stdout: git.stdout, ended, stop }
}
