// The protocol's own client, in both eras and over both transports.

import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { DATA_META } from '../../../src/protocols/mcp/call-tool.js'
import { startTestService, type TestService } from '../../support/service.js'
import { ERROR_META } from '../../../src/protocols/mcp/text/refusal-result.js'

/** The handshake of 2025-11-25, and the stateless protocol of 2026-07-28. */
export type Era = 'legacy' | 'modern'

const IMPLEMENTATION = { name: 'test', version: '1' }

function newClient(era: Era): Client {
  return new Client(IMPLEMENTATION, {
    versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
  })
}

export async function connectHttp(origin: string, key: string, era: Era): Promise<Client> {
  const client = newClient(era)
  const headers = { Authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit: { headers } }))
  return client
}

/** Gives the tests of a `describe` a service and an agent that uses it over HTTP, before they run. */
export function useAgent(give: (service: TestService, agent: Client) => void, slug?: string): void {
  let service: TestService
  let agent: Client
  before(async () => {
    service = await startTestService(slug)
    agent = await connectHttp(service.origin, service.key, 'modern')
    give(service, agent)
  })
  after(async () => {
    await agent.close()
    await service.stop()
  })
}

/** Starts `palimpsest mcp`, which ends with the client. */
export async function connectStdio(
  env: Record<string, string>,
  era: Era,
  program = 'dist/program/bin/palimpsest.js',
): Promise<Client> {
  const client = newClient(era)
  const args = [program, 'mcp']
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' }))
  return client
}

type Fields = Record<string, unknown>

/** A result, as every version of the SDK gives it. */
export interface ToolResult {
  isError?: boolean | undefined
  content: { type: string; text?: string }[]
  _meta?: Record<string, unknown> | undefined
}

export interface ToolCaller {
  callTool(call: { name: string; arguments: Fields; _meta?: Fields }): Promise<ToolResult>
}

/** The `_meta` of a request that asks for the data that programs read. */
export const ASKS_FOR_DATA = { [DATA_META]: true }

/** The data of a call that must succeed, with the `html`, `content` or `unified` that its text holds. */
export async function succeed<T = Fields>(client: ToolCaller, name: string, given: Fields = {}): Promise<T> {
  const result = await client.callTool({ name, arguments: given, _meta: ASKS_FOR_DATA })
  assert.notEqual(result.isError, true, `${name}: ${textOf(result)}`)
  const [, kind, text] =
    /<(page-content|file-content|diff)-[0-9a-f]{16}>\n([^]*)\n<\/\1-[0-9a-f]{16}>$/.exec(textOf(result)) ?? []
  const long = text === undefined ? {} : { [LONG_FIELDS[kind ?? ''] ?? '']: text }
  return { ...programData<Fields>(result), ...long } as T
}

/** Names of long fields, by the name of the marks around them. */
const LONG_FIELDS: Readonly<Record<string, string>> = {
  'page-content': 'html',
  'file-content': 'content',
  diff: 'unified',
}

/** Returns the data of a result for programs. */
export function programData<T>({ _meta }: { _meta?: Record<string, unknown> | undefined }): T {
  return _meta?.[DATA_META] as T
}

export interface ToolError {
  code: string
  message: string
  next: string
  details?: unknown
  text: string
}

/** Calls a tool that must fail, and returns its error. */
export async function fail(client: ToolCaller, name: string, given: Fields = {}): Promise<ToolError> {
  const result = await client.callTool({ name, arguments: given, _meta: ASKS_FOR_DATA })
  assert.equal(result.isError, true, `${name} succeeded: ${textOf(result)}`)
  const error = result._meta?.[ERROR_META] as Omit<ToolError, 'text'>
  return { ...error, text: textOf(result) }
}

export function textOf({ content }: Pick<ToolResult, 'content'>): string {
  return content.map(({ text = '' }) => text).join('\n')
}
