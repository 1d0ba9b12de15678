// `palimpsest audit`: verifies and exports the audit log, and erases facts about a person in it.

import { type Command, InvalidArgumentError } from 'commander'
import { OPERATOR_CHAIN } from '../../catalog/audit/chain.js'
import { readEntry } from '../../catalog/audit/entries.js'
import { type IsSigned, verifyChain } from '../../catalog/audit/verify-chain.js'
import { isTextSignedBy, keysAt, type Signer } from '../../git/objects/commit-signature.js'
import { isUuid } from '../../model/ids.js'
import { readSigners } from '../../repository/disk/signing-key.js'
import { recordByOperator } from '../../usecases/context/audit.js'
import { printError } from '../terminal/printable.js'
import { findWorkspace, type Offline, withOffline } from './offline.js'
import { withSigners } from './signing.js'

/** Entries that are read at once. */
const PIECE = 500

export function addAudit(program: Command): void {
  const audit = program.command('audit').description('verify and export the audit log, and erase facts about people')
  audit.command('verify').description('check every entry of every chain; exit code 1 at a wrong one').action(verify)
  audit
    .command('export')
    .description('print the entries as JSON lines, the oldest first')
    .option('--workspace <id or name>', 'default: the first workspace')
    .option('--operator', "the operator's own entries")
    .action(exportEntries)
  audit
    .command('erase')
    .description('erase names, addresses and devices of a person from the log; the chains still verify')
    .requiredOption('--person <id>', 'the id of the person', parseId)
    .action(erase)
}

/** Names the end of each chain: an operator who keeps it elsewhere sees later whether a chain was written anew. */
async function verify(): Promise<void> {
  await withSigners(async ({ catalog, config: { dataDir } }, nodes) => {
    const isSigned = isSignedBy(nodes === undefined ? readSigners(dataDir) : await nodes.list())
    for (const chain of catalog.audit.chains()) {
      const { entries, end, fault } = await verifyChain(catalog.audit, chain, isSigned)
      const name = chain === OPERATOR_CHAIN ? 'operator' : `workspace ${chain}`
      if (fault === undefined) console.log(`${name}: ${entries} entries are sound, up to ${end.number} ${end.hash}`)
      else printError(`${name}: ${fault}`)
      if (fault !== undefined) process.exitCode = 1
    }
  })
}

function isSignedBy(signers: readonly Signer[]): IsSigned {
  return (text, signature, at) => isTextSignedBy(text, signature, keysAt(signers, Date.parse(at) / 1000))
}

async function exportEntries(options: { workspace?: string; operator?: true }): Promise<void> {
  await withOffline(async ({ catalog }) => {
    const chain = options.operator === true ? OPERATOR_CHAIN : (await findWorkspace(catalog, options.workspace)).id
    for (let after = 0; ; ) {
      const rows = catalog.audit.rowsAfter(chain, after, PIECE)
      for (const row of rows) await print(`${JSON.stringify(readEntry(row))}\n`)
      after = rows.at(-1)?.number ?? after
      if (rows.length < PIECE) return
    }
  })
}

/** Resolves once the reader of standard output has taken enough to go on. */
async function print(line: string): Promise<void> {
  if (process.stdout.write(line)) return
  await new Promise((resolve) => process.stdout.once('drain', resolve))
}

async function erase({ person }: { person: string }): Promise<void> {
  await withOffline(async (services: Offline) => {
    const entries = await services.catalog.audit.erase(person)
    const event = { action: 'audit.erase', target: `user ${person}`, details: { entries } }
    await recordByOperator(services, event)
    console.log(`Erased the facts about people in ${entries} entries. Older backups still hold them.`)
  })
}

function parseId(text: string): string {
  const id = text.toLowerCase()
  if (!isUuid(id)) throw new InvalidArgumentError('Give the id of a person: GET /members lists them.')
  return id
}
