#!/usr/bin/env node
// The command line of the service's package: `palimpsest <command>`. src/cli/program.ts names the exit codes.

import { AUTHOR_COMMANDS } from './cli/author-commands.js'
import { addClone } from './cli/clone/clone.js'
import { addMcp } from './cli/mcp.js'
import { makeProgram, runProgram } from './cli/program.js'

const program = makeProgram([...AUTHOR_COMMANDS, { heading: 'Copies and agents:', commands: [addClone, addMcp] }])

// The other commands load the whole service, which the commands above and the version need not wait for. A completion names them too.
const [, , asked = ''] = process.argv
const isAlone = asked !== 'completion' && program.commands.some((command) => command.name() === asked)
if (['-V', '--version'].includes(asked) || isAlone) await runProgram(program)
else {
  const { addServerCommands, OPERATOR_ERRORS } = await import('./cli/operator/on-server.js')
  addServerCommands(program)
  await runProgram(program, OPERATOR_ERRORS)
}
