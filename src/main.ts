#!/usr/bin/env node
// The command line: `palimpsest <command>`. Exit codes: 0 done, 1 refused or failed, 2 wrong usage or no key,
// 3 no answer from the service: try again later.

import { Command, CommanderError } from 'commander'
import { addClone } from './cli/clone/clone.js'
import { addDiff } from './cli/authors/diff.js'
import { explain } from './cli/connection/explain.js'
import { addOpen } from './cli/authors/open.js'
import { addPages } from './cli/authors/pages.js'
import { addPublish } from './cli/authors/publish.js'
import { addMove } from './cli/authors/move.js'
import { addPull } from './cli/authors/pull.js'
import { addRemove } from './cli/authors/remove.js'
import { addRollback } from './cli/authors/rollback.js'
import { addVersions } from './cli/authors/versions.js'
import { addCompletion } from './cli/completion.js'
import { addChecks } from './cli/site/checks.js'
import { addLink } from './cli/site/link.js'
import { addSearch } from './cli/site/search.js'
import { addStatus } from './cli/site/status.js'
import { addUndo } from './cli/site/undo.js'
import { addLogin } from './cli/login.js'
import { addMcp } from './cli/mcp.js'
import { addMirror } from './cli/remotes/mirror.js'
import { packageVersion } from './threads/package-version.js'
import { printError } from './cli/terminal/printable.js'
import { ServiceError } from './model/errors.js'

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has enough, such as `head`, closes the pipe: the command still does its work and keeps its exit code.
  if (error.code === 'EPIPE' || process.exitCode !== undefined) return
  process.exitCode = 1
  printError(`palimpsest: standard output: ${error.message}`)
})
process.stderr.on('error', () => undefined)

const program = new Command('palimpsest')
  .description('Publish pages into git repositories and serve them.')
  .version(packageVersion())
  // Without this, the program's --version would also take that of `pull`.
  .enablePositionalOptions()
  .exitOverride()
  .configureHelp({ showGlobalOptions: false })

/** Errors whose message is printed without a stack. */
const expected: (abstract new (...args: never[]) => Error)[] = [ServiceError]

program.commandsGroup('Anywhere (the service at PALIMPSEST_URL, with the key in PALIMPSEST_TOKEN or of "login"):')
const anywhere = [
  addPublish,
  addPull,
  addClone,
  addRemove,
  addMove,
  addOpen,
  addPages,
  addVersions,
  addRollback,
  addDiff,
  addUndo,
  addSearch,
  addChecks,
  addStatus,
  addLink,
  addMirror,
  addLogin,
  addMcp,
  addCompletion,
]
for (const add of anywhere) add(program)

// The other commands load the whole service, which the commands above and the version need not wait for. A completion names them too.
const [, , asked = ''] = process.argv
const isAlone = asked !== 'completion' && program.commands.some((command) => command.name() === asked)
if (!['-V', '--version'].includes(asked) && !isAlone) {
  const { addServerCommands, OPERATOR_ERRORS } = await import('./cli/operator/on-server.js')
  addServerCommands(program)
  expected.push(...OPERATOR_ERRORS)
}

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

/** Prints the error, without a stack if the caller can fix it, and returns the exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const explanation = explain(error)
  if (explanation !== undefined) {
    printError(`palimpsest: ${explanation.message}`)
    return explanation.exitCode
  }
  if (isExpected(error)) printError(`palimpsest: ${error.message}`)
  else console.error(error)
  return 1
}

/** Whether the caller can fix the error. */
function isExpected(error: unknown): error is Error {
  return expected.some((type) => error instanceof type)
}
