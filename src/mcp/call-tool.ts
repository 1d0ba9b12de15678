// One tool call: checks the arguments, sends the request, and words the answer or the refusal for an agent.

import type { CallToolResult } from '@modelcontextprotocol/server'
import { cutPage } from './text/cut-page.js'
import { findFault } from './tools/check-arguments.js'
import { refusalResult } from './text/refusal-result.js'
import { type AskApi, ApiFailure, sendRequest } from './ask-api.js'
import { resolveNames } from './resolve-names.js'
import { shortListText, shortText } from './text/short-text.js'
import { requestOf, type Tool } from './tools/tool.js'

type Fields = Record<string, unknown>

export async function callTool(ask: AskApi, tool: Tool, given: Fields, signal: AbortSignal): Promise<CallToolResult> {
  const fault = findFault(tool, given)
  if (fault !== undefined) return refusalResult({ code: 'invalid_arguments', message: fault })
  try {
    const resolved = await resolveNames(ask, tool, given, signal)
    return toResult(tool, await sendRequest(ask, requestOf(tool, resolved), signal))
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    return refusalResult(error.failure)
  }
}

function toResult(
  { definition, operation }: Tool,
  { data, nextCursor }: { data: unknown; nextCursor: string | null },
): CallToolResult {
  const { shows, leavesOut = [] } = definition
  const omit = (entry: unknown) =>
    leavesOut.length === 0
      ? (entry as Fields)
      : Object.fromEntries(Object.entries(entry as Fields).filter(([name]) => !leavesOut.includes(name)))
  if (!operation.list) {
    const shown = shows === 'page' ? cutPage(data as Fields) : omit(data)
    return { content: [{ type: 'text', text: shortText(shows, shown) }], structuredContent: shown }
  }
  const entries = (data as unknown[]).map(omit)
  const text = shortListText(shows, entries, nextCursor)
  return { content: [{ type: 'text', text }], structuredContent: { data: entries, nextCursor } }
}
