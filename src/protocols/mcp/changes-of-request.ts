// Reads what a change request changes, where it conflicts with what is live, and its open comments, for the tool that shows one.

import { ApiFailure, type AskApi, sendRequest } from './ask-api.js'
import { headerOf, type Target } from './resolve-names.js'
import type { Tool } from './tools/tool.js'

type Fields = Record<string, unknown>

const MAX_CHANGES = 50
const MAX_COMMENTS = 100
const OPEN_STATES: readonly unknown[] = ['draft', 'review']

/** Returns the fields to add to `data`; none for other tools, or where the service does not tell them. */
export async function readChanges(
  ask: AskApi,
  { definition }: Tool,
  { target, data: { id, state } }: { target: Target; data: Fields },
  signal: AbortSignal,
): Promise<Fields> {
  if (definition.shows !== 'request' || definition.effect !== 'reads') return {}
  const read = async (what: 'changes' | 'conflicts' | 'comments', query: Fields) => {
    const params = { header: headerOf(target), path: { id }, query }
    return await sendRequest(ask, { method: 'get', path: `/change-requests/{id}/${what}`, params }, signal)
  }
  try {
    const { data: changes, nextCursor } = await read('changes', { limit: MAX_CHANGES })
    const conflicts = OPEN_STATES.includes(state) ? (await read('conflicts', {})).data : []
    const { data: comments } = await read('comments', { open: true, limit: MAX_COMMENTS })
    return { changes, hasMore: nextCursor !== null, conflicts, comments }
  } catch (error) {
    if (error instanceof ApiFailure) return {}
    throw error
  }
}
