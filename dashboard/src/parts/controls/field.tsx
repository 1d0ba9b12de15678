// A field of a form: its label, its hint and its problem, connected for screen readers.

import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  label: string
  hint?: ComponentChildren
  problem?: string | undefined
  value: string
  onValue: (value: string) => void
  /** `lines` is a text of several lines. Default: one line. */
  type?: 'text' | 'lines' | 'date' | 'datetime-local' | 'password'
  placeholder?: string
  autofocus?: boolean
  required?: boolean
}

export function Field({ label, hint, problem, value, onValue, type = 'text', ...rest }: FieldProps) {
  const id = useId()
  const isWrong = problem !== undefined
  const attributes = {
    id,
    value,
    // Browsers fill in the person's own password unless the field asks for a new one.
    autocomplete: type === 'password' ? 'new-password' : 'off',
    spellcheck: false,
    'aria-invalid': isWrong,
    'aria-describedby': `${id}-hint`,
    onInput: (event: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => onValue(event.currentTarget.value),
    ...rest,
  } as const
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {type === 'lines' && <textarea rows={4} dir="auto" {...attributes} />}
      {type === 'text' && <input type="text" {...attributes} />}
      {/* Without a maximum, browsers accept years of six digits, which give no valid time. */}
      {type === 'date' && <input type="date" max="9999-12-31" {...attributes} />}
      {type === 'datetime-local' && <input type="datetime-local" max="9999-12-31T23:59" {...attributes} />}
      {type === 'password' && <input type="password" {...attributes} />}
      <p id={`${id}-hint`} class={isWrong ? 'hint wrong' : 'hint'} role={isWrong ? 'alert' : undefined}>
        {problem ?? hint}
      </p>
    </div>
  )
}
