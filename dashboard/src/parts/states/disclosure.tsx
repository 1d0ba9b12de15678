// A part of a screen that opens at a click on its title.

import type { ComponentChildren } from 'preact'

interface DisclosureProps {
  title: ComponentChildren
  isOpen?: boolean
  onToggle?: (isOpen: boolean) => void
  class?: string
  children: ComponentChildren
}

export function Disclosure({ title, isOpen, onToggle, class: more, children }: DisclosureProps) {
  return (
    <details class={more} open={isOpen} onToggle={(event) => onToggle?.(event.currentTarget.open)}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}
