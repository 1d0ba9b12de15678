// Merging of writes: the parameter that asks for it, and the field of the answer.

import { type Static, Type } from 'typebox'
import { author } from './answer-texts.js'
import { closed, oid, timestamp, toRequest } from './common.js'

/** The most versions that the answer to a merge lists. */
export const MAX_MERGED_VERSIONS = 20

export const onConflict = Type.Optional(
  Type.Enum(['merge'], {
    description:
      'Merges with what was written since, if `If-Match` is stale. Overlaps are refused as `merge_conflict`.',
  }),
)

const version = {
  id: oid('The commit of the version.'),
  author: author(),
  createdAt: timestamp('Commit time.'),
}

const description = 'Present if the write was merged: the newest 20 versions since the one in `If-Match`, newest first.'

export const mergedWith = Type.Optional(
  Type.Array(Type.Object({ ...version, number: Type.Integer({ minimum: 1 }) }, closed), {
    maxItems: MAX_MERGED_VERSIONS,
    description,
  }),
)
export type MergedWith = NonNullable<Static<typeof mergedWith>>

/** Records and collections have no numbered versions. */
export const mergedWithChange = Type.Optional(
  Type.Array(Type.Object(version, closed), {
    maxItems: 1,
    description: 'Present if the write was merged: the newest change since the one in `If-Match`.',
  }),
)
export type MergedWithChange = NonNullable<Static<typeof mergedWithChange>>

/** The field of an item of a batch, for every kind of item. */
export const mergedWithAny = Type.Optional(
  Type.Array(Type.Object({ ...version, number: Type.Optional(Type.Integer({ minimum: 1 })) }, closed), {
    maxItems: MAX_MERGED_VERSIONS,
    description,
  }),
)

export const onConflictQuery = Type.Object({ onConflict, ...toRequest }, closed)
