// Several rows chosen at once: the hook, the checkboxes, and the bar with what can be done to them.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
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

/** Stays in sight below the list while something is chosen. The children are the actions. */
export function SelectionBar({ selection, children }: { selection: Selection; children: ComponentChildren }) {
  if (selection.chosen.size === 0) return null
  return (
    <div class="selection" role="group" aria-label="Chosen">
      <span role="status">{formatNumber(selection.chosen.size)} chosen</span>
      {children}
      <IconButton icon="close" label="Choose none" onClick={selection.clear} />
    </div>
  )
}
