// `palimpsest mcp` of the package palimpsest-cli: passes messages between an agent, on standard input and output, and the tools of the
// service, at `/mcp`. The service's package answers by itself instead (mcp.ts), which takes its whole code.

import { createInterface } from 'node:readline'
import { type Command, Option } from 'commander'
import { TOOLSETS, type Toolset } from '../model/principal.js'
import { type Access, findAccess } from './connection/access.js'
import { explain } from './connection/explain.js'
import { proxiedFetch } from './connection/proxied-fetch.js'

/** The parts of a message that the transport over HTTP repeats in header fields. */
interface Message {
  id?: string | number
  method?: string
  params?: { name?: string; uri?: string; _meta?: Record<string, unknown> }
}

const VERSION_META = 'io.modelcontextprotocol/protocolVersion'
/** JSON-RPC codes: text that is no JSON; and what the transport could not do. */
const PARSE_ERROR = -32_700
const NOT_ANSWERED = -32_000

export function addToolsOverHttp(program: Command): void {
  program
    .command('mcp')
    .description('offer the tools of the service to an agent on standard input and output')
    .addOption(new Option('--toolset <name>', "the tools to offer; default: the key's").choices(TOOLSETS))
    .action(passTools)
}

async function passTools({ toolset }: { toolset?: Toolset }): Promise<void> {
  const access = await findAccess(process.env)
  const fields = {
    Authorization: `Bearer ${access.key}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...(toolset !== undefined && { 'X-Toolset': toolset }),
  }
  for await (const line of createInterface({ input: process.stdin }))
    if (line.trim() !== '') void pass(access, fields, line)
}

/** Sends one message and prints what the service answers; never rejects. */
async function pass({ baseUrl }: Access, fields: Record<string, string>, line: string): Promise<void> {
  const message = parse(line)
  if (message === undefined) return printFailure(null, PARSE_ERROR, 'This is not JSON.')
  try {
    const headers = { ...fields, ...ownFields(message) }
    const response = await proxiedFetch(`${baseUrl}/mcp`, { method: 'POST', headers, body: line })
    printAnswer(message, response, await response.text())
  } catch (error) {
    printFailure(message.id, NOT_ANSWERED, explain(error)?.message ?? String(error))
  }
}

function parse(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message
  } catch {
    return undefined
  }
}

/** Since version 2026-07-28 a message names its version itself, and its fields must agree. */
function ownFields({ method = '', params }: Message): Record<string, string> {
  const version = params?._meta?.[VERSION_META]
  if (typeof version !== 'string') return {}
  const name = params?.name ?? params?.uri
  return { 'MCP-Protocol-Version': version, 'Mcp-Method': method, ...(name !== undefined && { 'Mcp-Name': name }) }
}

/** Prints the messages of the answer, one a line. A notification has none. */
function printAnswer({ id }: Message, { status, headers }: Response, text: string): void {
  if (headers.get('Content-Type')?.startsWith('text/event-stream') === true) {
    for (const [, data = ''] of text.matchAll(/^data: ?(.+)$/gm)) process.stdout.write(`${data}\n`)
    return
  }
  const answer = parse(text) as { jsonrpc?: string; error?: { message?: string } } | undefined
  if (answer?.jsonrpc !== undefined) process.stdout.write(`${JSON.stringify({ ...answer, id })}\n`)
  else if (status >= 300) printFailure(id, NOT_ANSWERED, answer?.error?.message ?? `The service answered ${status}.`)
}

/** Nobody waits for the answer to a notification. */
function printFailure(id: Message['id'] | null, code: number, message: string): void {
  if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`)
}
