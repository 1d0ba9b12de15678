// One line above a list: its search field, its filters, and at the end the action that the screen is for.

import type { ComponentChildren } from 'preact'

interface FilterBarProps {
  /** The search field, then the filters. */
  children: ComponentChildren
  action?: ComponentChildren
}

export function FilterBar({ children, action }: FilterBarProps) {
  return (
    <div class="bar filter-bar">
      {children}
      {action}
    </div>
  )
}
