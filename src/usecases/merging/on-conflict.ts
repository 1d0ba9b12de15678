// `onConflict=merge`: the parts that all writes share which may be merged with what was written since.

import type { MergedWith, MergedWithChange } from '../../../schemas/merging.js'
import { isStale, ServiceError } from '../../model/errors.js'
import { MAX_DIFF_CHARACTERS } from '../../model/limits.js'
import type { Conditions } from '../context/input.js'
import { quoteTag, type Result } from '../context/result.js'

export interface OnConflict {
  onConflict?: 'merge'
}

/** Returns the entity tags of the version that the client changed. Throws `precondition_required`. */
export function baseTags({ ifMatch }: Conditions): readonly string[] {
  if (ifMatch !== undefined && ifMatch !== '*') return ifMatch
  throw new ServiceError(
    'precondition_required',
    'If-Match is required with onConflict=merge: send the ETag of the version that you changed. The merge begins there.',
  )
}

/** Whether somebody wrote between the merge and its turn at the site's writer. */
export function isOvertaken(error: unknown): boolean {
  return isStale(error) || (error instanceof ServiceError && error.code === 'precondition_failed')
}

export function withMerged<T extends object, M>(
  result: Result<T>,
  mergedWith: M | undefined,
): Result<T & { mergedWith?: M }> {
  return mergedWith === undefined ? result : { ...result, data: { ...result.data, mergedWith } }
}

interface Overlap {
  /** The page, file or record, as a client names it. */
  noun: string
  path: string
  /** The current entity tag, without quotes, and the current version, if there are versions. */
  etag: string
  version?: { id: string; number: number }
  /** The text with git's conflict markers, or a sentence; undefined for what cannot be merged. */
  hunks: string | undefined
  since: MergedWith | MergedWithChange
}

/** Makes a `merge_conflict`. Its conflicts have the form of those of a revert, with the whole text. */
export function overlapping({ noun, path, etag, version, hunks, since }: Overlap): ServiceError {
  const isShown = hunks !== undefined && hunks.length <= MAX_DIFF_CHARACTERS
  return new ServiceError(
    'merge_conflict',
    `The ${noun} was changed since in the same places. Settle each of them, and send it whole with the newest entity tag as If-Match.`,
    {
      etag: quoteTag(etag),
      ...(version && { version }),
      conflicts: [{ path, reason: 'changed', hunks: isShown ? hunks : null }],
      since,
    },
  )
}
