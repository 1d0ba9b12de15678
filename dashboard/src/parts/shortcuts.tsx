// Single keys that work wherever nobody is typing, and Control or Command with a key everywhere.

import { useEffect, useLayoutEffect } from 'preact/hooks'

/** Names such as `n`, `/`, `?` or `mod+s`. */
export type Shortcuts = Readonly<Record<string, () => void>>

export const KNOWN_SHORTCUTS: readonly [string, string][] = [
  ['/', 'Search this list'],
  ['n', 'A new page, record, key or site'],
  ['Ctrl or ⌘ + S', 'Publish the page'],
  ['g then s', 'All sites'],
  ['g then k', 'API keys'],
  ['?', 'These keys'],
]

/** The keys mean what the screen shows at this very moment. */
export function useShortcuts(shortcuts: Shortcuts): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isModified = event.ctrlKey || event.metaKey
      if (event.altKey || (!isModified && isTyping(event.composedPath()[0])) || document.querySelector('dialog[open]'))
        return
      const run = shortcuts[isModified ? `mod+${event.key.toLowerCase()}` : event.key]
      if (run === undefined) return
      event.preventDefault()
      run()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}

/** `g` and a second key within a second. */
export function useJumps(jumps: Shortcuts): void {
  useEffect(() => {
    let pressed = 0
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.composedPath()[0])) return
      const run = event.timeStamp - pressed < 1000 ? jumps[event.key] : undefined
      pressed = event.key === 'g' ? event.timeStamp : 0
      run?.()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}

export function focusSearch(): void {
  document.querySelector<HTMLInputElement>('input[type=search]')?.focus()
}

/** The innermost target: an editor in a shadow tree hides itself from `event.target`. */
function isTyping(target: EventTarget | undefined): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
