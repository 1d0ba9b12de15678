// Clients of the protocol's SDK before version 2, which most hosts ship. They check structured content against the tool's output
// schema once they have listed the tools, of refusals too.

import type { ToolResult } from './clients.js'
import { Client as ClientOf112 } from 'mcp-sdk-1.12/client/index.js'
import { StdioClientTransport as StdioOf112 } from 'mcp-sdk-1.12/client/stdio.js'
import { StreamableHTTPClientTransport as HttpOf112 } from 'mcp-sdk-1.12/client/streamableHttp.js'
import { Client as NewestClient } from 'mcp-sdk-newest/client/index.js'
import { StdioClientTransport as NewestStdio } from 'mcp-sdk-newest/client/stdio.js'
import { StreamableHTTPClientTransport as NewestHttp } from 'mcp-sdk-newest/client/streamableHttp.js'

export interface OlderClient {
  listTools(): Promise<{ tools: { name: string; inputSchema: unknown }[] }>
  callTool(call: {
    name: string
    arguments: Record<string, unknown>
    _meta?: Record<string, unknown>
  }): Promise<ToolResult>
  close(): Promise<void>
}

interface Connection {
  origin: string
  key: string
  transport: 'http' | 'stdio'
}

/** The parts that both versions share, as far as they are used here. */
interface Sdk {
  Client: new (implementation: {
    name: string
    version: string
  }) => OlderClient & {
    connect(transport: object): Promise<void>
  }
  Http: new (url: URL, options: { requestInit: RequestInit }) => object
  Stdio: new (server: { command: string; args: string[]; env: Record<string, string>; stderr: 'pipe' }) => object
}

const VERSIONS = {
  '1.12.0': { Client: ClientOf112, Http: HttpOf112, Stdio: StdioOf112 } as Sdk,
  '1.32.2': { Client: NewestClient, Http: NewestHttp, Stdio: NewestStdio } as Sdk,
}

export const OLDER_VERSIONS = Object.keys(VERSIONS) as (keyof typeof VERSIONS)[]

/** Connects, and lists the tools as every host does. */
export async function connectOlder(
  version: keyof typeof VERSIONS,
  { origin, key, transport }: Connection,
): Promise<OlderClient> {
  const { Client, Http, Stdio } = VERSIONS[version]
  const client = new Client({ name: 'test', version: '1' })
  const end =
    transport === 'http'
      ? new Http(new URL(`${origin}/mcp`), { requestInit: { headers: { Authorization: `Bearer ${key}` } } })
      : new Stdio({
          command: process.execPath,
          args: ['dist/program/bin/palimpsest.js', 'mcp'],
          env: { BASE_URL: origin, SERVICE_API_TOKEN: key },
          stderr: 'pipe',
        })
  await client.connect(end)
  await client.listTools()
  return client
}
