// A form whose submission calls a function instead of leaving the page.

import type { ComponentChildren } from 'preact'

interface FormProps {
  onSubmit: () => Promise<void>
  class?: string
  children: ComponentChildren
}

export function Form({ onSubmit, class: name, children }: FormProps) {
  return (
    <form
      class={name}
      onSubmit={(event) => {
        event.preventDefault()
        void onSubmit()
      }}
    >
      {children}
    </form>
  )
}
