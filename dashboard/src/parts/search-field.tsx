// The search field of a list; the shortcut `/` focuses it.

interface SearchFieldProps {
  label: string
  value: string
  onValue: (value: string) => void
}

export function SearchField({ label, value, onValue }: SearchFieldProps) {
  return (
    <label class="grow">
      <span class="unseen">{label}</span>
      <input type="search" placeholder={label} value={value} onInput={(event) => onValue(event.currentTarget.value)} />
    </label>
  )
}
