// `palimpsest login-link`: prints a link that signs in at the dashboard, once.

import type { Command } from 'commander'
import type { Member } from '../../catalog/people/members.js'
import { findMeant, makeSignInToken } from '../../usecases/sign-in/sign-in-link.js'
import { recordAudit } from '../../usecases/context/audit.js'
import { operatorCall } from '../../usecases/context/operator.js'
import { findWorkspace, withOffline } from './offline.js'

interface Options {
  workspace?: string
  label?: string
}

export function addLoginLink(program: Command): void {
  program
    .command('login-link')
    .summary('print a link that signs you in, once')
    .description('print a link that signs you in at the dashboard, once, within 15 minutes')
    .option('--workspace <id or name>', 'default: the first workspace')
    .option('--label <name or id>', 'the member whom it lets in; a new name makes an owner; default: the first owner')
    .action(printLink)
}

/** Prints the link, and on standard error whom it lets in. The token follows the `#`: a browser sends it to no server, so no log has it and no link preview uses it up. */
async function printLink(options: Options): Promise<void> {
  await withOffline(async (parts) => {
    const workspace = await findWorkspace(parts.catalog, options.workspace)
    const { label } = options
    const member = await findMeant(parts.catalog, workspace.id, label)
    const token = await makeSignInToken(parts, workspace.id, member ?? { label })
    const context = operatorCall(workspace, 'login-link', parts.newId)
    const about = member?.name ?? label
    const personal = about === undefined ? {} : { about }
    await recordAudit(
      { ...parts, ...context },
      { action: 'sign-in-link.create', target: `workspace ${workspace.id}`, personal },
    )
    console.error(member === undefined ? newOwner(label) : `This link lets ${member.name} in, ${roleOf(member)}.`)
    console.log(`${parts.baseUrl}/sign-in#${token}`)
  })
}

function newOwner(label = ''): string {
  return `This link makes a new owner${label === '' ? '' : `, ${label}`}.`
}

function roleOf({ rights: { role, sites } }: Member): string {
  return `${role}${sites === null ? '' : ' of some sites'} here`
}
