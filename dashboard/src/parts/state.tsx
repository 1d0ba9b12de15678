// What a screen shows while it has nothing to show: loading, a failure, or nothing there yet.

import type { ComponentChildren } from 'preact'
import type { ApiError } from '../api.js'
import type { Loaded } from '../load.js'
import { CopyButton } from './copy-button.js'

/** The children once there is data; what was loaded before stays while it is loaded again. */
export function Await<T>({ of, children }: { of: Loaded<T>; children: (data: T) => ComponentChildren }) {
  if (of.error !== undefined) return <Failure error={of.error} onRetry={of.reload} />
  if (of.data === undefined) return <Loading />
  return <>{children(of.data)}</>
}

function Loading() {
  return (
    <p class="loading" role="status">
      Loading…
    </p>
  )
}

export function Failure({ error, onRetry }: { error: ApiError; onRetry?: () => void }) {
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

/** Nothing here yet: what would make the first one, also from a shell. */
export function Empty({ title, command, children }: { title: string; command?: string; children?: ComponentChildren }) {
  return (
    <div class="empty panel">
      <h2>{title}</h2>
      {children}
      {command !== undefined && <Command text={command} />}
    </div>
  )
}

export function Command({ text }: { text: string }) {
  return (
    <div class="command">
      {/* A long line scrolls: with the keyboard too. */}
      <pre tabIndex={0} role="region" aria-label="Command">
        <code>{text}</code>
      </pre>
      <CopyButton text={text} />
    </div>
  )
}
