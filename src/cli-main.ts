#!/usr/bin/env node
// The command line of the package palimpsest-cli: what works from any machine, without the service's code and without dependencies.

import { AUTHOR_COMMANDS } from './cli/author-commands.js'
import { makeProgram, runProgram } from './cli/program.js'
import { addSitesOverApi } from './cli/site/sites.js'

await runProgram(makeProgram([...AUTHOR_COMMANDS, { heading: 'Sites:', commands: [addSitesOverApi] }]))
