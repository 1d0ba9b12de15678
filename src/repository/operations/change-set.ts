// Makes several changes in one commit, or none of them and reports every reason.

import { isTrouble, ServiceError } from '../../model/errors.js'
import type { SiteState } from '../staging/site-state.js'
import type { Change } from '../protocol/write.js'
import type { Outcome } from './outcome.js'

/** One change that cannot be made, with the reason. */
export interface RefusedChange {
  /** Its index among the changes, from 0. */
  index: number
  code: string
  message: string
  details?: unknown
}

/** The commit's message lists no more changes than this. */
const MAX_NAMED = 20

/** Applies the changes. Preconditions refer to the site before the set. Throws `batch_refused`. */
export function applyChangeSet(
  state: SiteState,
  changes: readonly Change[],
  apply: (state: SiteState, change: Change) => Outcome,
): Outcome {
  const items: Outcome[] = []
  const refused: RefusedChange[] = []
  const seen = new Set<string>()
  for (const [index, change] of changes.entries()) {
    try {
      const outcome = apply(state, change)
      if (seen.has(outcome.id)) throw changedTwice()
      seen.add(outcome.id)
      items.push(outcome)
    } catch (error) {
      refused.push(toRefused(index, error))
    }
  }
  if (refused.length > 0) throw batchRefused(refused, changes.length)
  return { id: '', created: false, ...describe(changes, items), items }
}

export function batchRefused(errors: readonly RefusedChange[], count: number): ServiceError {
  const [first] = errors
  return new ServiceError(
    'batch_refused',
    `Nothing was changed: ${errors.length} of ${count} operations cannot be done. The first is operation ${first?.index}: ${first?.message}`,
    { errors },
  )
}

/** Describes a refused change. Throws errors that the change did not cause: failures and defects of the service. */
export function toRefused(index: number, error: unknown): RefusedChange {
  if (!(error instanceof ServiceError) || isTrouble(error.code)) throw error
  const { code, message, details } = error
  return { index, code, message, ...(details !== undefined && { details }) }
}

export function changedTwice(): ServiceError {
  return new ServiceError(
    'conflict',
    'Another operation of the batch changes the same page, file or record: join the two.',
  )
}

function describe(
  changes: readonly Change[],
  items: readonly Outcome[],
): Pick<Outcome, 'subject' | 'body' | 'trailers'> {
  const done = items.flatMap(({ subject }) => (subject === null ? [] : [subject]))
  const [only] = done
  if (only === undefined) return { subject: null }
  if (done.length === 1)
    return { subject: only, trailers: items.find(({ subject }) => subject === only)?.trailers ?? [] }
  const records = changes.filter(({ kind }, at) => kind.endsWith('-record') && items[at]?.subject !== null).length
  const files = changes.filter(({ kind }, at) => kind.endsWith('-file') && items[at]?.subject !== null).length
  const parts = [countOf(done.length - records - files, 'page'), countOf(files, 'file'), countOf(records, 'record')]
  const more = done.length - MAX_NAMED
  const named = done.slice(0, MAX_NAMED).map((subject) => `- ${subject}`)
  return {
    subject: `Change ${parts.filter(Boolean).join(' and ')}`,
    body: [...named, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n'),
  }
}

function countOf(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`
}
