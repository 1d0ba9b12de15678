#!/usr/bin/env node
// The command line of the service's package: `palimpsest <command>`. src/cli/program.ts names the exit codes.

import { AUTHOR_COMMANDS } from './cli/author-commands.js'
import { addClone } from './cli/clone/clone.js'
import { addMcp } from './cli/mcp.js'
import { makeProgram, runProgram } from './cli/program.js'

const [, , asked = ''] = process.argv
const isVersionAsked = ['-V', '--version'].includes(asked)
const sqlite = isVersionAsked ? (await import('./catalog/sqlite/sqlite-version.js')).sqliteVersion() : undefined
const alone = { heading: 'Copies and agents:', commands: [addClone, addMcp] }
const program = makeProgram([...AUTHOR_COMMANDS, alone], sqlite)

// The other commands load the whole service, which the commands above and the version need not wait for. A completion names them too.
const isAlone = asked !== 'completion' && program.commands.some((command) => command.name() === asked)
const isHelpAsked = ['', 'help', '-h', '--help'].includes(asked)
const { PALIMPSEST_URL, BASE_URL, PORT } = process.env
if ((isAlone || isHelpAsked) && !PALIMPSEST_URL && !BASE_URL && !PORT) {
  const { runningService } = await import('./cli/operator/running-service.js')
  const found = runningService(process.env)
  if (found !== undefined) process.env['BASE_URL'] = found
}
if (isVersionAsked || isAlone) await runProgram(program)
else {
  const { addServerCommands, OPERATOR_ERRORS } = await import('./cli/operator/on-server.js')
  addServerCommands(program)
  await runProgram(program, OPERATOR_ERRORS)
}
