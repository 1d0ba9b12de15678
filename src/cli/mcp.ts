// `palimpsest mcp`: offers the tools to an agent on this machine, over standard input and output.

import { type Command, Option } from 'commander'
import { type ApiClient, createClient } from '../protocols/client/client.js'
import { TOOLSETS, type Toolset } from '../model/principal.js'
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
      const { ROUTES } = await import('../protocols/api/routes/table.js')
      const { serveTools } = await import('../protocols/mcp/stdio-tools.js')
      serveTools(ROUTES, client, toolset ?? (await toolsetOfKey(client)))
    })
}

/** Returns all tools if the service does not answer in time, or is older than toolsets of keys. */
async function toolsetOfKey(client: ApiClient): Promise<Toolset> {
  const answer = await client.GET('/me', { signal: AbortSignal.timeout(MAX_WAIT_MS) }).catch(() => undefined)
  return answer?.data?.data.key.toolset ?? 'all'
}
