// The states of a screen without data: loading, failed, or empty.

import type { ComponentChildren } from 'preact'
import type { LoadedList } from '../api/use-list.js'
import type { Loaded } from '../api/use-loaded.js'
import { useTitle } from '../browser/title.js'
import { CopyButton } from './copy-button.js'

/** Shows the children once there is data. Data stays visible while it is loaded again. */
export function Await<T>({ of, children }: { of: Loaded<T>; children: (data: T) => ComponentChildren }) {
  if (of.error !== undefined) return <Failure error={of.error} onRetry={of.reload} />
  if (of.data === undefined) return <Loading />
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
            {nextCursor !== null && (
              <p class="more">
                <button type="button" onClick={of.more}>
                  {moreLabel}
                </button>
              </p>
            )}
          </>
        )
      }
    </Await>
  )
}

function Loading() {
  return (
    <div class="loading" role="status">
      Loading…
      <div class="skeleton" />
    </div>
  )
}

export function Failure({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  return (
    <div class="failure panel" role="alert">
      <p>{error.message}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

interface EmptyProps {
  title: string
  /** A shell command that does the same as the screen. */
  command?: string
  children?: ComponentChildren
}

/** Says that there is nothing yet, and how to make the first one. */
export function Empty({ title, command, children }: EmptyProps) {
  return (
    <div class="empty panel">
      <h2>{title}</h2>
      {children}
      {command !== undefined && <Command text={command} />}
    </div>
  )
}

export function Command({ text, label = 'Command' }: { text: string; label?: string }) {
  return (
    <div class="command">
      {/* A long line scrolls, with the keyboard too. */}
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={label === 'Command' ? 'Copy' : `Copy ${label.toLowerCase()}`} />
    </div>
  )
}

/** The screen of an address that leads nowhere. */
export function NothingHere({ title }: { title: string }) {
  useTitle('Not found')
  return (
    <div class="empty panel">
      <h1>{title}</h1>
      <p>
        <a href="/">All sites</a>
      </p>
    </div>
  )
}
