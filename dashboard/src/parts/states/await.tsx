// Shows what was loaded; until then a skeleton, or the reason why there is nothing.

import type { ComponentChildren } from 'preact'
import { Unreachable } from '../../api/connection.js'
import type { LoadedList } from '../../api/use-list.js'
import type { Loaded } from '../../api/use-loaded.js'
import { Pager } from '../lists/pager.js'
import { ErrorNotice } from './error-notice.js'
import { Skeleton } from './skeleton.js'

/** Shows the children once there is data. Data stays visible while it is loaded again, and while the connection is lost, which a bar says. */
export function Await<T>({ of, children }: { of: Loaded<T>; children: (data: T) => ComponentChildren }) {
  if (of.error instanceof Unreachable) return <Skeleton />
  if (of.error !== undefined) return <ErrorNotice error={of.error} onRetry={of.reload} />
  if (of.data === undefined) return <Skeleton />
  return <>{children(of.data)}</>
}

interface AwaitListProps<T> {
  of: LoadedList<T>
  /** Shown instead of an empty list. */
  empty: ComponentChildren
  /** The label of the button that loads the next slice. */
  moreLabel: string
  children: (entries: readonly T[]) => ComponentChildren
}

/** Shows the loaded entries of a list, and a button while there are more. */
export function AwaitList<T>({ of, empty, moreLabel, children }: AwaitListProps<T>) {
  return (
    <Await of={of}>
      {({ entries, nextCursor }) =>
        entries.length === 0 && nextCursor === null ? (
          empty
        ) : (
          <>
            {children(entries)}
            {nextCursor !== null && <Pager label={moreLabel} onMore={of.more} />}
          </>
        )
      }
    </Await>
  )
}
