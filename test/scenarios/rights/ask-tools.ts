// Calls a tool as a caller, without a client of the protocol: what the service answers is seen as it is.

import assert from 'node:assert/strict'
import type { Route } from '../../../src/protocols/api/routes/route.js'
import { KEY_ROUTES } from '../../../src/protocols/api/routes/table.js'
import { makeTools, type Tool } from '../../../src/protocols/mcp/tools/tool.js'
import { TOOLS } from '../../../src/protocols/mcp/tools/tool-table.js'
import { PLAUSIBLE } from '../../protocols/mcp/every-tool/plausible.js'
import type { CallerWithFields } from './caller-with-fields.js'

export interface AskedTool {
  name: string
  route: Route
  /** Whether it names a site. */
  isOfSite: boolean
  hasDryRun: boolean
  schema: Tool['schema']
}

interface Refused {
  code: string
}
interface Message {
  result?: { isError?: boolean; content: { text: string }[] }
  error?: Refused & { message: string }
}

export function toolsToAsk(): AskedTool[] {
  const tools = makeTools(TOOLS, KEY_ROUTES)
  return Array.from(tools.values(), ({ definition: { name, target, operationId }, arguments: known, schema }) => {
    const route = KEY_ROUTES.find((one) => one.operationId === operationId)
    assert.ok(route)
    return { name, route, isOfSite: target === 'site', hasDryRun: known.has('dryRun'), schema }
  })
}

/** Returns the refusal, if it is one. */
export async function askTool(
  origin: string,
  { fields }: CallerWithFields,
  tool: AskedTool,
  { siteId, isDryRun }: { siteId: string; isDryRun: boolean },
): Promise<Refused | undefined> {
  const { required = [] } = tool.schema as { required?: string[] }
  const needed = Object.fromEntries(required.map((name) => [name, PLAUSIBLE[name] ?? 'x']))
  const given = { ...needed, ...(tool.isOfSite && { siteId }), ...(isDryRun && { dryRun: true }) }
  const params = { name: tool.name, arguments: given }
  const answer = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: { ...fields, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const text = await answer.text()
  assert.ok(answer.status < 500, `${tool.name}: ${answer.status} ${text} ${JSON.stringify([...answer.headers])}`)
  const { result, error } = JSON.parse(text.replace(/^(?:event: .*\n)?data: /, '')) as Message
  if (error !== undefined) return error
  assert.ok(result !== undefined, text)
  if (result.isError !== true) return undefined
  const [, code = ''] = /^(\w+): /.exec(result.content[0]?.text ?? '') ?? []
  assert.ok(code !== '' && code !== 'invalid_arguments', text)
  return { code }
}
