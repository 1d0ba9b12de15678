// Several rows chosen at once: the hook, the checkboxes, and the bar with what can be done to them.

import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useShortcuts } from '../../browser/shortcuts.js'
import { formatNumber } from '../../format.js'
import { IconButton } from '../controls/icon-button.js'

export interface Selection {
  chosen: ReadonlySet<string>
  set: (keys: readonly string[], isChosen: boolean) => void
  clear: () => void
}

export function useSelection(): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  return {
    chosen,
    set: (keys, isChosen) =>
      setChosen((before) =>
        isChosen ? new Set([...before, ...keys]) : new Set([...before].filter((key) => !keys.includes(key))),
      ),
    clear: () => setChosen(new Set()),
  }
}

export function SelectAll({ selection: { chosen, set }, keys }: { selection: Selection; keys: readonly string[] }) {
  const count = keys.filter((key) => chosen.has(key)).length
  return (
    <input
      type="checkbox"
      aria-label="Choose all"
      checked={count > 0 && count === keys.length}
      indeterminate={count > 0 && count < keys.length}
      onChange={(event) => set(keys, event.currentTarget.checked)}
    />
  )
}

export function SelectRow({ selection, of: key, name }: { selection: Selection; of: string; name: string }) {
  return (
    <input
      type="checkbox"
      aria-label={`Choose ${name}`}
      checked={selection.chosen.has(key)}
      onChange={(event) => selection.set([key], event.currentTarget.checked)}
    />
  )
}

interface SelectionBarProps {
  selection: Selection
  /** The actions. */
  children: ComponentChildren
}

/** Stays in sight below the list while something is chosen. A key leads to it: thousands of rows may be before it. */
export function SelectionBar({ selection, children }: SelectionBarProps) {
  const bar = useRef<HTMLDivElement>(null)
  useShortcuts({ a: () => bar.current?.querySelector<HTMLElement>('button:enabled')?.focus() })
  if (selection.chosen.size === 0) return null
  return (
    <div ref={bar} class="selection" role="group" aria-label="Chosen" aria-keyshortcuts="a">
      <span role="status">{formatNumber(selection.chosen.size)} chosen</span>
      {children}
      <IconButton icon="close" label="Choose none" onClick={selection.clear} />
    </div>
  )
}
