#!/usr/bin/env node
// The command line of the package palimpsest-cli: what works from any machine, without the service's code and without dependencies.

import { AUTHOR_COMMANDS } from './cli/author-commands.js'
import { makeProgram, runProgram } from './cli/program.js'
import { addToolsOverHttp } from './cli/pass-tools.js'
import { addSitesOverApi } from './cli/site/sites.js'

const more = { heading: 'Sites and agents:', commands: [addSitesOverApi, addToolsOverHttp] }
// The package is CommonJS, which Node starts sooner, and which cannot wait here.
void runProgram(makeProgram([...AUTHOR_COMMANDS, more]))
