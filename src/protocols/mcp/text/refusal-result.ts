// Words a refusal that an agent can act on: the code, the reason, and the next step.

import type { CallToolResult } from '@modelcontextprotocol/server'
import { cutToBytes } from '../../../model/text-parts.js'
import { MAX_DATA_BYTES } from './bound.js'
import { withLongText } from './long-text.js'
import { nextStep } from './next-steps.js'
import { json, oneLine } from './untrusted-text.js'

export interface Failure {
  code: string
  message: string
  requestId?: string | undefined
  /** The next step, if it is not that of the code. */
  next?: string
  details?: unknown
}

/** The key of the error in a result's `_meta`, for programs that ask for data. */
export const ERROR_META = 'palimpsest/error'

/**
 * Puts the error into `_meta`, for programs. It is not structured content: that must fit the tool's output schema, and clients of SDK
 * version 1 check it in refusals too (modelcontextprotocol/typescript-sdk#1943).
 */
export function refusalResult(failure: Failure, bytes: number): CallToolResult {
  const { code, message, requestId, details } = failure
  const next = failure.next ?? nextStep(code, details)
  const told = details === undefined || json(details).length > MAX_DATA_BYTES ? {} : { details }
  const error = { code, message, next, ...(requestId && { requestId }), ...told }
  const reason = cutToBytes(oneLine(message), bytes / 2)
  const text = detailsText(`${code}: ${reason}\nNext: ${next}`, details, bytes)
  return { isError: true, content: [{ type: 'text', text: cutToBytes(text, bytes) }], _meta: { [ERROR_META]: error } }
}

/** Names the call that a caller who may only propose can make instead, if the tool takes a change request. */
export function withProposal(failure: Failure, takesRequest: boolean): Failure {
  const { code, details } = failure
  if (!takesRequest || code !== 'insufficient_scope' || (details as { scope?: string } | undefined)?.scope !== 'write')
    return failure
  const next = `If get_me says that you may propose, call again with changeRequest: "new". Else: ${nextStep(code, details)}`
  return { ...failure, next }
}

/** Words the details. A diff is easier to read as plain lines than as a JSON string. */
function detailsText(head: string, details: unknown, bytes: number): string {
  if (details === undefined) return head
  const { diff, ...rest } = details as { diff?: unknown }
  const unified = typeof diff === 'string' ? diff : (diff as { unified?: unknown } | undefined)?.unified
  if (typeof unified !== 'string') return `${head}\n${json(details)}`
  return withLongText(`${head}\n${json(rest)}`, { name: 'diff', text: unified }, bytes)
}
