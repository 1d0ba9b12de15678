// `palimpsest login-link`: prints a link that signs in at the dashboard, once.

import type { Command } from 'commander'
import { addressFor } from '../../processes/config/config.js'
import { makeSignInToken } from '../../usecases/access/sign-in.js'
import { recordAudit } from '../../usecases/context/audit.js'
import { operatorContext } from '../../usecases/context/operator.js'
import { findWorkspace, withOffline } from './offline.js'

interface Options {
  workspace?: string
  label?: string
}

export function addLoginLink(program: Command): void {
  program
    .command('login-link')
    .description('print a link that signs you in at the dashboard, once, within 15 minutes')
    .option('--workspace <id or name>', 'default: the first workspace')
    .option('--label <name>', 'your name, the author of your commits; default: the first owner')
    .action(printLink)
}

/** Prints the link. The token follows the `#`: a browser sends it to no server, so no log has it and no link preview uses it up. */
async function printLink(options: Options): Promise<void> {
  await withOffline(async (parts) => {
    const workspace = await findWorkspace(parts.catalog, options.workspace)
    const token = await makeSignInToken(parts, workspace.id, { label: options.label })
    const context = operatorContext(workspace, 'login-link', parts.newId)
    const personal = options.label === undefined ? {} : { about: options.label }
    await recordAudit(parts, context, { action: 'sign-in-link.create', target: `workspace ${workspace.id}`, personal })
    console.log(`${addressFor(parts.config, parts.config.port).baseUrl}/sign-in#${token}`)
  })
}
