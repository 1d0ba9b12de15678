// The tool protocol over standard input and output. Nothing else may write to standard output.

import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { ApiClient } from '../client/client.js'
import type { Operation } from './tools/operation.js'
import { apiOf } from './ask-api.js'
import { createToolServers, type Offer } from './tool-server.js'

/** More than any service accepts. The service refuses a message that is too large for it, and the connection stays open. */
const MAX_MESSAGE_BYTES = 128 * 1024 * 1024

/** Serves until standard input ends. */
export function serveTools(operations: readonly Operation[], client: ApiClient, offer: Offer): void {
  const toolServer = createToolServers(operations)
  serveStdio(() => toolServer(apiOf(client), offer), {
    transport: new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES }),
    maxSubscriptions: 0,
    onerror: (error) => process.stderr.write(`palimpsest mcp: ${error.message}\n`),
  })
}
