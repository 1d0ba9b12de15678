// Runs programs while a service runs in this process.

import { text } from 'node:stream/consumers'
import { startProgram } from '../../src/git/start-program.js'

export interface Finished {
  code: number
  stdout: string
  stderr: string
}

/** Runs a program that reads nothing to its end, and resolves for every exit code. */
export async function runBeside(
  command: readonly [string, ...string[]],
  { cwd = process.cwd(), env = process.env }: { cwd?: string; env?: NodeJS.ProcessEnv },
): Promise<Finished> {
  const { stdin, stdout, stderr, ended } = await startProgram({ command, cwd, env, leadsGroup: true })
  stdin.on('error', () => undefined).end()
  const [printed, said, { exitCode }] = await Promise.all([text(stdout), text(stderr), ended])
  return { code: exitCode ?? 255, stdout: printed, stderr: said }
}
