// Short messages about results and refusals, some with an action such as "Undo". Screen readers announce them.

import { useSyncExternalStore } from 'preact/compat'
import { Refusal } from '../../api/client.js'
import { noteMissedStep, Unreachable } from '../../api/connection.js'
import { asError } from '../../api/use-loaded.js'
import { Button } from '../controls/button.js'
import { IconButton } from '../controls/icon-button.js'
import { Icon } from '../icons.js'

interface Action {
  label: string
  run: () => void
}

interface Notice {
  id: number
  text: string
  isFailure: boolean
  action: Action | undefined
}

/** Display time; a failure stays until it is closed. */
const SHOWN_MS = 8000

let notices: readonly Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()

export function notify(text: string, action?: Action): void {
  const id = add({ text, isFailure: false, action })
  setTimeout(() => dismiss(id), SHOWN_MS)
}

/** Shows a failure; but not the end of the session, nor a lost connection: a screen and a bar tell people of these. */
export function notifyFailure(error: unknown): void {
  if (error instanceof Refusal && error.code === 'unauthenticated') return
  if (error instanceof Unreachable) return noteMissedStep()
  add({ text: asError(error).message, isFailure: true, action: undefined })
}

export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices)
  return (
    <div class="notices" role="status" aria-live="polite">
      {shown.map((notice) => (
        <NoticeBox key={notice.id} notice={notice} />
      ))}
    </div>
  )
}

function NoticeBox({ notice: { id, text, isFailure, action } }: { notice: Notice }) {
  const act = () => {
    dismiss(id)
    action?.run()
  }
  return (
    <div class={isFailure ? 'notice failure' : 'notice'}>
      <Icon name={isFailure ? 'failed' : 'done'} />
      <span>{text}</span>
      {action && (
        <Button kind="quiet" isSmall onClick={act}>
          {action.label}
        </Button>
      )}
      <IconButton icon="close" label="Close this message" isSmall onClick={() => dismiss(id)} />
    </div>
  )
}

function add(notice: Omit<Notice, 'id'>): number {
  const id = ++lastId
  replace([...notices, { ...notice, id }])
  return id
}

function dismiss(id: number): void {
  replace(notices.filter((notice) => notice.id !== id))
}

function replace(next: readonly Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
