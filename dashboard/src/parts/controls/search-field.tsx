// The search field of a list; the shortcut `/` focuses it.

import { Icon } from '../icons.js'

interface SearchFieldProps {
  label: string
  value: string
  onValue: (value: string) => void
}

export function SearchField({ label, value, onValue }: SearchFieldProps) {
  return (
    <label class="grow search">
      <span class="unseen">{label}</span>
      <Icon name="search" />
      <input type="search" placeholder={label} value={value} onInput={(event) => onValue(event.currentTarget.value)} />
    </label>
  )
}
