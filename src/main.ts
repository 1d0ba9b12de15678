#!/usr/bin/env node
// The command line: `palimpsest <command>`. Exit codes: 0 done, 1 refused or failed, 2 wrong usage or no key,
// 3 no answer from the service, and perhaps later.

import { Command, CommanderError } from 'commander'
import { addDiff } from './cli/authors/diff.js'
import { explain } from './cli/authors/explain.js'
import { addOpen } from './cli/authors/open.js'
import { addPages } from './cli/authors/pages.js'
import { addPublish } from './cli/authors/publish.js'
import { addPull } from './cli/authors/pull.js'
import { addRollback } from './cli/authors/rollback.js'
import { addVersions } from './cli/authors/versions.js'
import { addBackup } from './cli/backup.js'
import { NoApiKey } from './cli/credentials.js'
import { addFsck } from './cli/fsck.js'
import { addKeys } from './cli/keys.js'
import { addLogin } from './cli/login.js'
import { addLoginLink } from './cli/login-link.js'
import { addMaintain } from './cli/maintain.js'
import { addReindex } from './cli/reindex.js'
import { addServe } from './cli/serve.js'
import { addSites } from './cli/sites.js'
import { addWorkspaces } from './cli/workspaces.js'
import { DataDirInUse } from './catalog/data-dir-lock.js'
import { Refusal } from './client/client.js'
import { InvalidConfiguration } from './config.js'
import { ServiceError } from './model/errors.js'

/** Said in their own words: refusals, ours or a service's, and what the caller forgot. */
const EXPECTED = [ServiceError, InvalidConfiguration, DataDirInUse, NoApiKey, Refusal]

const program = new Command('palimpsest')
  .description('Publish pages into git repositories and serve them.')
  .addHelpText(
    'after',
    '\nCommands of the server read the same environment as serve: DATA_DIR and the rest of docs/configuration.md.\nThe others talk to the service at BASE_URL, with the key in SERVICE_API_TOKEN.',
  )
  .exitOverride()
  .configureHelp({ showGlobalOptions: false })

program.commandsGroup('Anywhere:')
for (const add of [addPublish, addPull, addOpen, addPages, addVersions, addRollback, addDiff]) add(program)

program.commandsGroup('On the server:')
for (const add of [
  addServe,
  addLogin,
  addLoginLink,
  addKeys,
  addSites,
  addWorkspaces,
  addReindex,
  addFsck,
  addMaintain,
  addBackup,
])
  add(program)

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
  return error instanceof NoApiKey ? 2 : 1
}

/** What the caller can mend; a port that is taken or not allowed too, in the system's words. */
function isExpected(error: unknown): error is Error {
  if (EXPECTED.some((type) => error instanceof type)) return true
  return error instanceof Error && (error as NodeJS.ErrnoException).syscall === 'listen'
}
