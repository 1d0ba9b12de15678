// The picture of a person, which is the initials on a colour of the name; or a sign for an agent or a key. The name stands beside it as text.

import { Icon } from '../icons.js'

interface AvatarProps {
  name: string
  isAgent?: boolean
  /** A program with a key. */
  isKey?: boolean
  isLarge?: boolean
}

export function Avatar({ name, isAgent = false, isKey = false, isLarge = false }: AvatarProps) {
  const size = isLarge ? ' large' : ''
  if (isAgent || isKey)
    return (
      <span class={`avatar agent${size}`} title={name} aria-hidden="true">
        <Icon name={isAgent ? 'agent' : 'key'} />
      </span>
    )
  return (
    <span
      class={`avatar${size}`}
      data-initials={initialsOf(name)}
      title={name}
      style={{ '--hue': String(hueOf(name)) }}
      aria-hidden="true"
    />
  )
}

/** Returns the first letters of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const first = (word: string) => String.fromCodePoint(word.codePointAt(0) ?? 0x20)
  const last = words.length > 1 ? first(words.at(-1) ?? '') : ''
  return `${first(words[0] ?? '')}${last}`.toLocaleUpperCase()
}

function hueOf(name: string): number {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360
  return sum
}
