// `palimpsest mcp`: offers the tools to an agent on this machine, over standard input and output.

import { type Command, InvalidArgumentError } from 'commander'
import { createClient } from '../client/client.js'
import { isToolset, TOOLSETS, type Toolset } from '../mcp/tools/toolsets.js'
import { apiBaseUrl, requireApiKey } from './connection/credentials.js'

export function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('offer the tools to an agent on standard input and output')
    .option('--toolset <name>', `the tools to offer: ${TOOLSETS.join(' or ')}`, readToolset, 'all')
    .action(async ({ toolset }: { toolset: Toolset }) => {
      const baseUrl = apiBaseUrl(process.env)
      const client = createClient({ baseUrl, key: requireApiKey(process.env, baseUrl) })
      // The route table loads the service's code, which no other command of this group needs.
      const { ROUTES } = await import('../api/routes/table.js')
      const { serveTools } = await import('../mcp/stdio-tools.js')
      serveTools(ROUTES, client, toolset)
    })
}

function readToolset(name: string): Toolset {
  if (isToolset(name)) return name
  throw new InvalidArgumentError(`It is ${TOOLSETS.join(' or ')}.`)
}
