// `palimpsest mcp`: offers the tools to an agent on this machine, over standard input and output.

import { type Command, Option } from 'commander'
import { type ApiClient, createClient } from '../protocols/client/client.js'
import { TOOLSETS, type Toolset } from '../model/principal.js'
import { SCOPES } from '../model/rights/scopes.js'
import type { Offer } from '../protocols/mcp/tool-server.js'
import { findAccess } from './connection/access.js'

/** Bounds the wait at the start: an agent can start while the service is slow or away, and each call then reports that. */
const MAX_WAIT_MS = 5000

export function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('offer the tools to an agent on standard input and output')
    .addOption(new Option('--toolset <name>', "the tools to offer; default: the key's").choices(TOOLSETS))
    .action(async ({ toolset }: { toolset?: Toolset }) => {
      const client = createClient({ ...(await findAccess(process.env)), retries: 0 })
      // Imported late: the route table loads the service's code, which no other command of this group needs.
      const { KEY_ROUTES } = await import('../protocols/api/routes/table.js')
      const { serveTools } = await import('../protocols/mcp/stdio-tools.js')
      const offer = await offerOfKey(client)
      serveTools(KEY_ROUTES, client, toolset === undefined ? offer : { ...offer, toolset })
    })
}

/** Returns all tools if the service does not answer in time, or is older than toolsets of keys. */
async function offerOfKey(client: ApiClient): Promise<Offer> {
  const answer = await client.GET('/me', { signal: AbortSignal.timeout(MAX_WAIT_MS) }).catch(() => undefined)
  const { key, scopes = SCOPES } = answer?.data?.data ?? {}
  return { toolset: key?.toolset ?? 'all', scopes }
}
