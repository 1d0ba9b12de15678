#!/usr/bin/env node
// The command line: `palimpsest <command>`. Exit codes: 0 done, 1 refused or failed, 2 wrong usage or no key,
// 3 no answer from the service, and perhaps later.

import { Command, CommanderError } from 'commander'
import { addDiff } from './cli/authors/diff.js'
import { explain } from './cli/connection/explain.js'
import { addOpen } from './cli/authors/open.js'
import { addPages } from './cli/authors/pages.js'
import { addPublish } from './cli/authors/publish.js'
import { addPull } from './cli/authors/pull.js'
import { addRollback } from './cli/authors/rollback.js'
import { addVersions } from './cli/authors/versions.js'
import { addLogin } from './cli/login.js'
import { addMcp } from './cli/mcp.js'
import { ServiceError } from './model/errors.js'

const program = new Command('palimpsest')
  .description('Publish pages into git repositories and serve them.')
  .exitOverride()
  .configureHelp({ showGlobalOptions: false })

/** Said in their own words. */
const expected: (abstract new (...args: never[]) => Error)[] = [ServiceError]

program.commandsGroup('Anywhere (the service at BASE_URL, with the key in SERVICE_API_TOKEN or of "login"):')
const anywhere = [addPublish, addPull, addOpen, addPages, addVersions, addRollback, addDiff, addLogin, addMcp]
for (const add of anywhere) add(program)

// The other commands load the whole service; who calls one of these does not wait for that.
if (!program.commands.some((command) => command.name() === process.argv[2])) {
  const { addServerCommands, OPERATOR_ERRORS } = await import('./cli/operator/on-server.js')
  addServerCommands(program)
  expected.push(...OPERATOR_ERRORS)
}

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

/** Says what went wrong on standard error, without a stack for what the caller can mend. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const explanation = explain(error)
  if (explanation !== undefined) {
    console.error(`palimpsest: ${explanation.message}`)
    return explanation.exitCode
  }
  console.error(isExpected(error) ? `palimpsest: ${error.message}` : error)
  return 1
}

/** What the caller can mend; a port that is taken or not allowed too, in the system's words. */
function isExpected(error: unknown): error is Error {
  if (expected.some((type) => error instanceof type)) return true
  return error instanceof Error && (error as NodeJS.ErrnoException).syscall === 'listen'
}
