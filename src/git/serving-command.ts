// Commands of git that serve a client: streamed both ways, ended with the client, and at lower priority than the service.

import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { environment } from './command.js'
import { SERVING_NICENESS } from './priority.js'
import { startProgram } from './start-program.js'

/** Time for a command that is asked to end, to remove its temporary files. */
const KILL_MS = 1000

/** A running command. */
export interface RunningGit {
  stdin: Writable
  stdout: Readable
  /** Resolves with the exit code; undefined if the command was ended or did not start. */
  ended: Promise<number | undefined>
  /** Ends the command and everything it started. */
  stop: () => void
}

export interface StartOptions {
  maxMs: number
  /** Folder of the objects, since the git folder has none of its own. */
  objects: string
  /** The protocol that the client speaks (git, "GIT_PROTOCOL"). */
  protocol: 0 | 1 | 2
}

/** Starts a command that serves a client, in its own process group and below the priority of the service. Ends it after `maxMs`. */
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
