// Short messages about what was done or refused, with a way to undo it; read out by screen readers.

import { useSyncExternalStore } from 'preact/compat'
import { asApiError } from '../load.js'

interface Notice {
  id: number
  text: string
  isFailure: boolean
  action?: { label: string; run: () => void }
}

/** Milliseconds; a failure stays until it is closed. */
const SHOWN = 8000

let notices: readonly Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()

export function notify(text: string, action?: Notice['action']): void {
  const id = add({ text, isFailure: false, ...(action && { action }) })
  setTimeout(() => dismiss(id), SHOWN)
}

/** Says what failed, in the service's words. */
export function notifyFailure(error: unknown): void {
  add({ text: asApiError(error).message, isFailure: true })
}

export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices)
  return (
    <div class="notices" role="status" aria-live="polite">
      {shown.map(({ id, text, isFailure, action }) => (
        <div key={id} class={isFailure ? 'notice failure' : 'notice'}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              class="quiet"
              onClick={() => {
                dismiss(id)
                action.run()
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="quiet" aria-label="Close this message" onClick={() => dismiss(id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  )
}

function add(notice: Omit<Notice, 'id'>): number {
  const id = ++lastId
  set([...notices, { ...notice, id }])
  return id
}

function dismiss(id: number): void {
  set(notices.filter((notice) => notice.id !== id))
}

function set(next: readonly Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
