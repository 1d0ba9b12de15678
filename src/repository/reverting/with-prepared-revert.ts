// Prepares a revert before it queues for the site's writer, and again if its files were changed before its turn.

import { isStale } from '../../model/errors.js'
import type { PreparedRevert } from '../protocol/prepared.js'
import type { Undoing, Write } from '../protocol/write.js'

const MAX_TRIES = 5

/** Hands the write over: a revert with the result of `prepare`, any other write as it is. */
export async function withPreparedRevert<T>(
  write: Write,
  prepare: (undoing: Undoing, withheld: readonly string[]) => Promise<PreparedRevert>,
  handOver: (write: Write) => Promise<T>,
): Promise<T> {
  const { operation } = write
  if (operation.kind !== 'revert-commits') return await handOver(write)
  for (let tries = 1; ; tries++) {
    const prepared = await prepare(undoingOf(operation), operation.withheld)
    try {
      return await handOver({ ...write, operation: { ...operation, prepared } })
    } catch (error) {
      if (!isStale(error) || tries === MAX_TRIES) throw error
    }
  }
}

function undoingOf(undoing: Undoing): Undoing {
  if (undoing.commits !== undefined) return { commits: undoing.commits }
  const { backTo, paths } = undoing
  return { backTo, ...(paths && { paths }) }
}
