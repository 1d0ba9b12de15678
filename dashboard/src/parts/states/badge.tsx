// A short word for a state or a kind, on the tint of its state.

import type { ComponentChildren } from 'preact'

export interface BadgeProps {
  /** `ok`: published, good; `draft`: waits; `off`: neither; `danger`: removed, broken; `info`: a kind. Default: off. */
  state?: 'ok' | 'draft' | 'off' | 'danger' | 'info'
  /** Shows a dot before the word, for states in lists. */
  isDotted?: boolean
  title?: string
  children: ComponentChildren
}

export function Badge({ state = 'off', isDotted = false, title, children }: BadgeProps) {
  return (
    <span class={`badge ${state}${isDotted ? ' dotted' : ''}`} title={title}>
      {children}
    </span>
  )
}
