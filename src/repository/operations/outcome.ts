// The result of one operation: its edits are staged in the tree, and this describes its commit.

import { ServiceError, whyStale } from '../../model/errors.js'
import type { Undone } from '../protocol/write.js'
import type { Known, SiteState } from '../staging/site-state.js'

/** `subject: null` means that nothing differs: no commit is made. */
export interface Outcome {
  id: string
  created: boolean
  subject: string | null
  body?: string
  /** The outcome of each change of a set, in order. */
  items?: readonly Outcome[]
  /** The changed paths, if they are not staged one by one. */
  touched?: readonly string[]
  trailers?: readonly (readonly [name: string, value: string])[]
}

export function unchanged(id: string): Outcome {
  return { id, created: false, subject: null }
}

/** Returns git's own line for each undone version that the rollback's message names, newest first. */
export function undoneLines({ newest, count }: Undone): string {
  const lines = newest.map((oid) => `This reverts commit ${oid}.`)
  const more = count - lines.length
  return [...lines, ...(more > 0 ? [`And ${more} earlier commits.`] : [])].join('\n')
}

/**
 * Throws unless one of the entity tags is the commit of the last change (RFC 9110 §13.1.1).
 * The error carries the current tag, so that the caller can read and try again.
 */
export function checkIfMatch(
  state: SiteState,
  ifMatch: readonly string[] | '*' | undefined,
  paths: readonly string[],
  known: Known,
): void {
  if (ifMatch === undefined || ifMatch === '*') return
  const current = state.lastChange(paths, known)
  if (ifMatch.includes(current)) return
  throw new ServiceError(
    'precondition_failed',
    whyStale(ifMatch, 'It has changed since the version in If-Match. Read it again and repeat the change.'),
    { etag: `"${current}"` },
  )
}
