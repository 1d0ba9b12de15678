// A form that calls a function on submission instead of leaving the page, one submission at a time.

import type { ComponentChildren } from 'preact'
import { useOneAtATime } from '../../browser/use-one-at-a-time.js'

interface FormProps {
  onSubmit: () => Promise<void>
  class?: string
  children: ComponentChildren
}

export function Form({ onSubmit, class: name, children }: FormProps) {
  const submit = useOneAtATime(onSubmit)
  return (
    <form
      class={name}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {children}
    </form>
  )
}
