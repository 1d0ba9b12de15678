// The server of the tool protocol: tools, resources and prompts over the API. What transport it speaks
// through is not its business.

import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { callTool } from './call-tool.js'
import type { Operation } from './operation.js'
import { getPrompt, listPrompts } from './prompts.js'
import { listResources, RESOURCE_TEMPLATE, readResource } from './resources.js'
import type { AskApi } from './ask-api.js'
import { makeTools } from './tool.js'
import { TOOLS } from './tool-table.js'

const INSTRUCTIONS =
  'Publishes HTML pages that are live at once; every change is a version that can be rolled back. ' +
  'Read before you write, change pages with edit_page, and send the etag you read as ifMatch: a stale write is refused and loses nothing. ' +
  'accountId names the workspace and siteId the site; without them tools act on the default site of the workspace of the key.'

/** How long a client may keep what does not depend on who asks, and what does not change while this version runs. */
const LISTS_KEEP_MS = 3_600_000

/** Makes servers that offer the same tools: one for each request or connection, each over the API that it is given. */
export function createToolServers(operations: readonly Operation[]): (ask: AskApi) => Server {
  const tools = makeTools(TOOLS, operations)
  const listed = [...tools.values()].map((tool) => tool.listed)
  return (ask) => {
    const server = new Server(
      { name: 'palimpsest', title: 'Palimpsest', version: '1.0.0' },
      {
        capabilities: { tools: {}, resources: {}, prompts: {} },
        instructions: INSTRUCTIONS,
        cacheHints: {
          'tools/list': { ttlMs: LISTS_KEEP_MS, cacheScope: 'public' },
          'prompts/list': { ttlMs: LISTS_KEEP_MS, cacheScope: 'public' },
          'resources/templates/list': { ttlMs: LISTS_KEEP_MS, cacheScope: 'public' },
          'resources/list': { ttlMs: 0, cacheScope: 'private' },
          'resources/read': { ttlMs: 0, cacheScope: 'private' },
        },
      },
    )
    server.setRequestHandler('tools/list', () => ({ tools: listed }))
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const tool = tools.get(params.name)
      if (tool === undefined) {
        const names = [...tools.keys()].join(', ')
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `There is no tool "${params.name}". There are: ${names}.`,
        )
      }
      return await callTool(ask, tool, params.arguments ?? {}, mcpReq.signal)
    })
    server.setRequestHandler('resources/list', ({ params }, { mcpReq }) =>
      listResources(ask, params?.cursor, mcpReq.signal),
    )
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [RESOURCE_TEMPLATE] }))
    server.setRequestHandler('resources/read', ({ params }, { mcpReq }) => readResource(ask, params.uri, mcpReq.signal))
    server.setRequestHandler('prompts/list', listPrompts)
    server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params.name, params.arguments ?? {}))
    return server
  }
}
