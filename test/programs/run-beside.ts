// Programs that run beside a service in this process, started by the small process that the service has for it (src/programs): to
// start one from this process would stop the service for as long as it takes to copy the process.

import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { StartProgram } from '../../src/git/start-program.js'
import { ProgramStarter } from '../../src/programs/program-starter.js'
import { folderOfShell } from './shell.js'

export interface Finished {
  code: number
  stdout: string
  stderr: string
}

let starter: ProgramStarter | undefined

/** The program may not have started: then `ended` says why. */
export const startBeside: StartProgram = (program) =>
  (starter ??= new ProgramStarter(join(folderOfShell(), 'start.sock'))).start(program)

/** Runs a program that reads nothing to its end, and resolves for every exit code. */
export async function runBeside(
  command: readonly [string, ...string[]],
  { cwd = process.cwd(), env = process.env }: { cwd?: string; env?: NodeJS.ProcessEnv },
): Promise<Finished> {
  const { stdin, stdout, stderr, ended } = await startBeside({ command, cwd, env })
  stdin.on('error', () => undefined).end()
  const [printed, said, { exitCode }] = await Promise.all([text(stdout), text(stderr), ended])
  return { code: exitCode ?? 255, stdout: printed, stderr: said }
}
