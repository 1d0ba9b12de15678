// Reads the audit log of a workspace.

import type { AuditData } from '../../../schemas/audit.js'
import type { AuditEntry } from '../../catalog/audit/entries.js'
import type { Call } from '../context/call.js'
import { DEFAULT_LIMIT, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { type LongList, readSlice } from '../context/slice.js'
import { assertWholeWorkspace } from './roles.js'

export interface AuditFilter {
  /** `key.create`, or `key` for all actions on keys. */
  action?: string
  /** The id of a person, key, session or agent. */
  actor?: string
  /** An id, or kind and id. */
  target?: string
  /** RFC 3339. */
  since?: string
  until?: string
}

/** Lists entries, the newest first. Throws `insufficient_scope` for a caller limited to sites. */
export async function listAudit(
  call: Call<'catalog'>,
  { cursor, limit = DEFAULT_LIMIT, ...filter }: SliceInput & AuditFilter,
): Promise<Result<AuditData[]>> {
  const { catalog } = call
  assertWholeWorkspace(call)
  const { id } = call.target.workspace
  const since = timeOf(filter.since) ?? -Infinity
  const entries: LongList<AuditEntry> = {
    read: async (after, count) => {
      const found = catalog.audit.before(id, numberIn(after), count)
      // Times never go back from entry to entry, so all that follow are older too.
      return found.filter(({ at }) => Date.parse(at) >= since)
    },
    keyOf: ({ number }) => String(number),
    isWanted: (entry) => matches(entry, filter),
  }
  const { rows, nextCursor } = await readSlice('audit', entries, { cursor, limit })
  return { data: rows, nextCursor }
}

/** Returns the number that a cursor holds; without one, a number after every entry. A made-up cursor ends the list. */
function numberIn(after: string): number {
  if (after === '') return Number.MAX_SAFE_INTEGER
  return Number.isSafeInteger(Number(after)) ? Number(after) : 0
}

/** Names that older entries have. The chain keeps them as they are. */
const RENAMED: Readonly<Record<string, string>> = { 'session.end-all': 'session.end_all' }

function matches({ at, target, actor, ...entry }: AuditEntry, filter: AuditFilter): boolean {
  const [action, wanted] = [entry.action, filter.action].map((name) => RENAMED[name ?? ''] ?? name)
  return (
    Date.parse(at) < (timeOf(filter.until) ?? Infinity) &&
    (wanted === undefined || action === wanted || action?.startsWith(`${wanted}.`) === true) &&
    (filter.actor === undefined || filter.actor === actor.id || filter.actor === actor.userId) &&
    (filter.target === undefined || target === filter.target || target.endsWith(` ${filter.target}`))
  )
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text)
}
