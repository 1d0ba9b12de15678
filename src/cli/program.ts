// The frame of the command line: its help, its errors and its exit codes. These are 0 for done, 1 for refused or failed, 2 for wrong usage
// or no key. With 3 the service did not answer: try again later.

import { Command, CommanderError } from 'commander'
import { ServiceError } from '../model/errors.js'
import { packageVersion } from '../threads/package-version.js'
import { explain } from './connection/explain.js'
import { HELP, helpCommand, helpOfHere } from './help.js'
import { messageInColour } from './terminal/colour.js'
import { printError } from './terminal/printable.js'

/** Commands that help lists together. */
export interface CommandGroup {
  heading: string
  commands: readonly ((program: Command) => void)[]
}

/** Words of other programs, with the command here that does it. */
const MEANT: Readonly<Record<string, string>> = {
  ...meaning('dev', 'watch serve start preview'),
  ...meaning('publish', 'deploy upload push up'),
  ...meaning('history', 'log logs'),
  ...meaning('link', 'init use'),
  ...meaning('sites create', 'create new'),
  ...meaning('pages', 'ls list'),
  ...meaning('pull', 'get download clone'),
  ...meaning('rm', 'delete remove unpublish'),
  ...meaning('mv', 'move rename'),
  ...meaning('undo', 'revert'),
  ...meaning('rollback', 'restore'),
  ...meaning('search', 'find grep'),
  ...meaning('open', 'browse view'),
  ...meaning('whoami', 'me'),
  ...meaning('login', 'auth signin'),
}

/** Makes the program with the commands that need no access to the server. `--version` names `sqlite` too. */
export function makeProgram(groups: readonly CommandGroup[], sqlite?: string): Command {
  endQuietly()
  const program = new Command('palimpsest')
    .description('Publish pages into git repositories and serve them.')
    .version(sqlite === undefined ? packageVersion() : `${packageVersion()} (SQLite ${sqlite})`)
    // Without this, the program's --version would also take that of `pull`.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(messageInColour(withCommandMeant(text))) })
    .configureHelp(HELP)
    .addHelpCommand(helpCommand())
    .addHelpText('after', helpOfHere)
  for (const { heading, commands } of groups) {
    program.commandsGroup(heading)
    for (const add of commands) add(program)
  }
  return program
}

/** Letters alone lead to a wrong command: `watch` to `search`, `logs` to `login`. */
function withCommandMeant(text: string): string {
  const [line = '', name = ''] = /^error: unknown command '([a-z]+)'\n/.exec(text) ?? []
  const meant = Object.hasOwn(MEANT, name) ? MEANT[name] : undefined
  return meant === undefined ? text : `${line}(Did you mean ${meant}?)\n`
}

function meaning(command: string, words: string): Record<string, string> {
  return Object.fromEntries(words.split(' ').map((word) => [word, command]))
}

/** Runs the command of this process, and sets the exit code. Messages of `expected` errors are printed without a stack. */
export async function runProgram(
  program: Command,
  expected: readonly (abstract new (...args: never[]) => Error)[] = [],
): Promise<void> {
  try {
    await program.parseAsync()
  } catch (error) {
    process.exitCode = report(error, [ServiceError, ...expected])
  }
}

/** A reader that has enough, such as `head`, closes the pipe: the command still does its work and keeps its exit code. */
function endQuietly(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || process.exitCode !== undefined) return
    process.exitCode = 1
    printError(`palimpsest: standard output: ${error.message}`)
  })
  process.stderr.on('error', () => undefined)
}

/** Prints the error, without a stack if the caller can fix it, and returns the exit code. */
function report(error: unknown, expected: readonly (abstract new (...args: never[]) => Error)[]): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const explanation = explain(error)
  if (explanation !== undefined) {
    printError(`palimpsest: ${explanation.message}`)
    return explanation.exitCode
  }
  if (error instanceof Error && expected.some((type) => error instanceof type))
    printError(`palimpsest: ${error.message}`)
  else console.error(error)
  return 1
}
