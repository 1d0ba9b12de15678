// Keyboard shortcuts: single keys outside of text fields, and Control or Command with a key everywhere.

import { useLayoutEffect, useRef } from 'preact/hooks'

/** By key: `n`, `/`, `?`, or `mod+s` for Control or Command with S. */
export type Shortcuts = Readonly<Record<string, () => void>>

export const KNOWN_SHORTCUTS: readonly [string, string][] = [
  ['/', 'Search this list'],
  ['Ctrl or ⌘ + K', 'Find a site, a page, a person or what to do'],
  ['a', 'Go to what can be done with the chosen ones'],
  ['n', 'New page, record, key or site'],
  ['Ctrl or ⌘ + S', 'Save the draft of a page; publish rules'],
  ['g then s', 'All sites'],
  ['g then k', 'API keys'],
  ['g then m', 'Members'],
  ['?', 'Show this list'],
]

const MAX_JUMP_PAUSE_MS = 1000

/** Binds the shortcuts of a screen. Each run sees the state of the newest render. */
export function useShortcuts(shortcuts: Shortcuts): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isModified = event.ctrlKey || event.metaKey
      if (event.altKey || isDialogOpen() || (!isModified && isTyping(event.composedPath()[0]))) return
      const run = shortcuts[isModified ? `mod+${event.key.toLowerCase()}` : event.key]
      if (run === undefined) return
      event.preventDefault()
      run()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}

/** Binds sequences of `g` and a second key. */
export function useJumps(jumps: Shortcuts): void {
  const pressedAt = useRef(-Infinity)
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.composedPath()[0]) || isDialogOpen()) return
      const run = event.timeStamp - pressedAt.current < MAX_JUMP_PAUSE_MS ? jumps[event.key] : undefined
      pressedAt.current = event.key === 'g' ? event.timeStamp : -Infinity
      run?.()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}

export function focusSearch(): void {
  document.querySelector<HTMLInputElement>('input[type=search]')?.focus()
}

function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null
}

/** Whether the person is typing. `target` is the innermost one: `event.target` does not show an editor in a shadow tree. */
function isTyping(target: EventTarget | undefined): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !/^(?:checkbox|radio|range|file)$/.test(target.type)
  return target.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(target.tagName)
}
