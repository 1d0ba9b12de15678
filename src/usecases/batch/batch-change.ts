// The change that an operation of a batch becomes, and its condition.

import type { BatchItemData, BatchOperation } from '../../../schemas/batch.js'
import type { Change } from '../../repository/protocol/write.js'
import { conditionOf, type Conditions } from '../context/input.js'

export type BatchChange = Exclude<
  Change,
  { kind: 'put-collection' | 'delete-collection' | 'move-file' | 'move-folder' | 'rollback-file' }
>

/** A change, and what it was merged with. */
export interface Merged<T extends BatchChange = BatchChange> {
  change: T
  mergedWith?: BatchItemData['mergedWith']
}

/** Returns the entity tag of the version that the client changed; undefined without one. */
export function tagsOf(operation: BatchOperation): readonly string[] | undefined {
  const { ifMatch } = 'ifMatch' in operation ? conditionsOf(operation) : {}
  return ifMatch === '*' ? undefined : ifMatch
}

export function conditionsOf(operation: { ifMatch?: string }): Conditions {
  const { ifMatch } = operation
  if (ifMatch === undefined) return {}
  return conditionOf({ ifMatch: ifMatch === '*' ? '*' : [ifMatch.slice(1, -1)] })
}
