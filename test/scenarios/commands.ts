// Commands of the command line that need no process of their own: a start takes ten times as long as most of their work.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The compiled command line of this build. */
export const MAIN = fileURLToPath(new URL('../../program/bin/palimpsest.js', import.meta.url))
const RUNNER = fileURLToPath(new URL('./command-runner.js', import.meta.url))

export interface Command {
  args: string[]
  env: NodeJS.ProcessEnv
  cwd?: string
  /** Goes to its standard input, which is empty by default. */
  input?: string
}

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

let runner: ChildProcess | undefined
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs one command once those before it have ended, in a process that all commands of this process share. A test of signals,
 * terminals or the process itself starts a process: `run` of serve-process.ts.
 */
export function runCommand(command: Command): Promise<Outcome> {
  const outcome = last.then(() => send(command))
  last = outcome.catch(() => undefined)
  return outcome
}

async function send(command: Command): Promise<Outcome> {
  runner ??= startRunner()
  const child = runner
  const ended = new AbortController()
  const { signal } = ended
  child.channel?.ref()
  child.send(command)
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([outcome]) => outcome as Outcome),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`palimpsest ${command.args.join(' ')} ended the process that it shares, with ${code}`)
      }),
    ])
  } finally {
    ended.abort()
    child.channel?.unref()
    if (child.exitCode !== null || child.signalCode !== null) runner = undefined
  }
}

/** Ends the shared process once its commands have ended: the driver of the catalog keeps files open there. The next command starts another. */
export async function endRunner(): Promise<void> {
  await last
  const child = runner
  runner = undefined
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** It ends with this process, which does not wait for it. */
function startRunner(): ChildProcess {
  const child = fork(RUNNER, [MAIN], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] })
  child.unref()
  child.channel?.unref()
  return child
}
