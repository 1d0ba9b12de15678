// Carries out one tool call: checks the arguments, sends the request, and words the answer or the refusal for an agent, within its bound.

import type { CallToolResult } from '@modelcontextprotocol/server'
import { partOf } from '../../model/text-parts.js'
import { type ApiAnswer, type AskApi, ApiFailure, sendRequest } from './ask-api.js'
import { findEffects } from './find-effects.js'
import { resolveNames } from './resolve-names.js'
import { boundOf, MAX_DATA_BYTES } from './text/bound.js'
import { refusalResult } from './text/refusal-result.js'
import type { Warning } from './text/change-text.js'
import { countFitting, entryTexts, shortListText, shortText } from './text/short-text.js'
import { inToolWords } from './text/tool-words.js'
import { checkArguments } from './arguments/check-arguments.js'
import { DEFAULT_ENTRIES } from './tools/tool-schemas.js'
import { requestOf, type Tool } from './tools/tool.js'

type Fields = Record<string, unknown>

/** The key of the answer's data in a result's `_meta`. A program asks for it by `true` under the same key in the `_meta` of its request. */
export const DATA_META = 'palimpsest/data'

export async function callTool(ask: AskApi, tool: Tool, sent: Fields, signal: AbortSignal): Promise<CallToolResult> {
  const { given, fault } = checkArguments(tool, sent)
  const bytes = boundOf(given['maxTokens'])
  if (fault !== undefined) return refusalResult({ code: 'invalid_arguments', message: fault }, bytes)
  try {
    const resolved = await resolveNames(ask, tool, given, signal)
    const send = (changed: Fields = {}) => sendRequest(ask, requestOf(tool, { ...resolved, ...changed }), signal)
    return tool.operation.list
      ? await listResult(tool, resolved, bytes, send)
      : await writtenResult(ask, tool, resolved, { bytes, answer: await send() }, signal)
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    return refusalResult(inToolWords(error.failure), bytes)
  }
}

type Warned = Fields & { warnings?: Warning[] }

/** Returns one answer; that to a write also says what a dry run would have warned of. */
async function writtenResult(
  ask: AskApi,
  tool: Tool,
  resolved: Fields,
  { bytes, answer }: { bytes: number; answer: ApiAnswer },
  signal: AbortSignal,
): Promise<CallToolResult> {
  const data = answer.data as Warned & { items?: Warned[] }
  const { files, warnings: found = [] } = await findEffects(ask, tool, { place: resolved, data }, signal)
  const own = [data, ...(data.items ?? [])].flatMap(({ warnings: told = [] }) => told)
  const warnings = [...own, ...found]
  const shown = {
    ...data,
    ...(tool.definition.shows === 'undo' && { files }),
    ...(warnings.length > 0 && { warnings }),
  }
  return oneResult(tool, resolved, bytes, { ...answer, data: shown })
}

function oneResult(
  { definition, operation }: Tool,
  { chars }: Fields,
  bytes: number,
  { data }: ApiAnswer,
): CallToolResult {
  const shown = without(data, definition.leavesOut)
  const name = 'unified' in shown ? 'unified' : 'html'
  const long = shown[name]
  const isPart =
    typeof long === 'string' && typeof chars === 'string' && operation.query?.properties['chars'] === undefined
  const part = isPart ? partOf(long, { chars }) : undefined
  const text = shortText(definition.shows, part === undefined ? shown : { ...shown, ...part, [name]: part.text }, bytes)
  return result(text, without(shown, ['html', 'content', 'unified']))
}

/** Returns a list. If entries do not fit, it asks again for fewer, so that the cursor goes on after those that fit. */
async function listResult(
  { definition: { shows, leavesOut }, arguments: known }: Tool,
  { limit = DEFAULT_ENTRIES }: Fields,
  bytes: number,
  send: (changed?: Fields) => Promise<ApiAnswer>,
): Promise<CallToolResult> {
  const read = async (changed?: Fields) => {
    const { data, nextCursor } = await send(changed)
    const entries = (data as unknown[]).map((entry) => without(entry, leavesOut))
    return { entries, texts: entryTexts(shows, entries), nextCursor }
  }
  let list = await read()
  const fitting = countFitting(list.texts, bytes - Buffer.byteLength(list.nextCursor ?? ''))
  if (fitting < list.texts.length && fitting < Number(limit) && known.has('limit')) {
    list = await read({ limit: fitting })
  }
  const { entries, texts, nextCursor } = list
  return result(shortListText(texts, nextCursor, bytes), { data: entries, nextCursor })
}

function result(text: string, data: Fields): CallToolResult {
  const isShort = Buffer.byteLength(JSON.stringify(data)) <= MAX_DATA_BYTES
  return { content: [{ type: 'text', text }], ...(isShort && { _meta: { [DATA_META]: data } }) }
}

function without(entry: unknown, names: readonly string[] = []): Fields {
  const kept: Fields = {}
  for (const [name, value] of Object.entries(entry as Fields)) if (!names.includes(name)) kept[name] = value
  return kept
}
