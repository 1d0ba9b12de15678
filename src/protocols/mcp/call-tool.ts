// Carries out one tool call: checks the arguments, sends the request, and words the answer or the refusal for an agent, within its bound.

import type { CallToolResult } from '@modelcontextprotocol/server'
import { partOf } from '../../model/text-parts.js'
import { type ApiAnswer, ApiFailure, type AskApi, sendRequest } from './ask-api.js'
import { readChanges } from './changes-of-request.js'
import { findDefaultSite, headerOf, type Target, resolveNames } from './resolve-names.js'
import { boundOf, MAX_DATA_BYTES } from './text/bound.js'
import { refusalResult, withProposal } from './text/refusal-result.js'
import type { WrittenRequest } from './text/request-text.js'
import type { Warning } from './text/change-text.js'
import { countFitting, entryTexts, shortListText, shortText } from './text/short-text.js'
import { inToolWords } from './text/tool-words.js'
import { checkArguments } from './arguments/check-arguments.js'
import { DEFAULT_ENTRIES } from './tools/tool-schemas.js'
import type { ToolDefinition } from './tools/tool-definition.js'
import { requestOf, type Tool } from './tools/tool.js'

type Fields = Record<string, unknown>

/** The key of the answer's data in a result's `_meta`. A program asks for it by `true` under the same key in the `_meta` of its request. */
export const DATA_META = 'palimpsest/data'

/** Most time to ask what a write did: it is done, so its answer does not wait long. */
const MAX_WAIT_MS = 5_000

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
    return refusalResult(withProposal(inToolWords(error.failure), tool.arguments.has('changeRequest')), bytes)
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
  const changeRequest = await findRequest(ask, resolved, answer, signal)
  const target = { ...resolved, changeRequest: changeRequest?.id }
  const { files, warnings: found = [] } = await findEffects(ask, tool, { target, data }, signal)
  const own = [data, ...(data.items ?? [])].flatMap(({ warnings: told = [] }) => told)
  const warnings = [...own, ...found]
  const shown = {
    ...data,
    ...(tool.definition.shows === 'undo' && { files }),
    ...(warnings.length > 0 && { warnings }),
    ...(changeRequest && { changeRequest }),
    ...(await readChanges(ask, tool, { target: resolved, data }, signal)),
  }
  return oneResult(tool, resolved, bytes, { ...answer, data: shown })
}

function oneResult(
  { definition, operation }: Tool,
  { chars, changeRequest }: Fields,
  bytes: number,
  { data }: ApiAnswer,
): CallToolResult {
  const shown = without(data, leftOut(definition, changeRequest))
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
  { definition, arguments: known }: Tool,
  { limit = DEFAULT_ENTRIES, changeRequest }: Fields,
  bytes: number,
  send: (changed?: Fields) => Promise<ApiAnswer>,
): Promise<CallToolResult> {
  const read = async (changed?: Fields) => {
    const { data, nextCursor } = await send(changed)
    const entries = (data as unknown[]).map((entry) => without(entry, leftOut(definition, changeRequest)))
    return { entries, texts: entryTexts(definition.shows, entries), nextCursor }
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

/** Nothing of a change request is live: its pages and files have no URL. */
function leftOut({ leavesOut = [] }: ToolDefinition, changeRequest: unknown): readonly string[] {
  return changeRequest === undefined ? leavesOut : [...leavesOut, 'url']
}

function without(entry: unknown, names: readonly string[] = []): Fields {
  const kept: Fields = {}
  for (const [name, value] of Object.entries(entry as Fields)) if (!names.includes(name)) kept[name] = value
  return kept
}

/** Returns the change request that a write went to, with its number where the service tells it. */
async function findRequest(
  ask: AskApi,
  target: Target,
  { changeRequest: id }: ApiAnswer,
  signal: AbortSignal,
): Promise<WrittenRequest | undefined> {
  if (id === undefined) return undefined
  try {
    const params = { header: headerOf(target), path: { id }, query: {} }
    const request = { method: 'get', path: '/change-requests/{id}', params } as const
    const { number } = (await sendRequest(ask, request, signal, MAX_WAIT_MS)).data as { number: number }
    return { id, number }
  } catch (error) {
    if (error instanceof ApiFailure) return { id }
    throw error
  }
}

/** Files that a write changed, and its warnings. */
interface Effects {
  files?: unknown[]
  warnings?: Warning[]
}

/** Returns the effects of the write that `data` answers; none if it made no commit, was a dry run, or the service does not tell. */
async function findEffects(
  ask: AskApi,
  { definition, arguments: known }: Tool,
  { target, data }: { target: Target; data: Fields },
  signal: AbortSignal,
): Promise<Effects> {
  const commit = commitOf(data)
  const isWrite = definition.effect !== 'reads' && known.has('dryRun')
  if (!isWrite || commit === undefined || data['dryRun'] !== undefined || data['changed'] === false) return {}
  try {
    const id = (data['siteId'] as string | undefined) ?? target.siteId ?? (await findDefaultSite(ask, target, signal))
    const { changeRequest } = target
    const query = { warnings: true, ...(changeRequest !== undefined && { changeRequest }) }
    const params = { header: headerOf(target), path: { id, oid: commit }, query }
    const request = { method: 'get', path: '/sites/{id}/commits/{oid}', params } as const
    const { files = [], warnings = [] } = (await sendRequest(ask, request, signal, MAX_WAIT_MS)).data as Effects
    // A page that was not looked at is no fault of the write.
    return { files, warnings: warnings.filter(({ code }) => code !== 'links_unchecked') }
  } catch (error) {
    if (error instanceof ApiFailure) return {}
    throw error
  }
}

/** Returns the commit that the write made: the entity tag of a page names it. */
function commitOf({ commit, version, etag }: Fields): string | undefined {
  if (typeof commit === 'string') return commit
  return version !== undefined && typeof etag === 'string' ? etag.replaceAll('"', '') : undefined
}
