// One thing that the palette offers, and whether the typed words mean it.

import type { IconName } from '../parts/icons.js'

export type Group = 'Recent' | 'Sites' | 'Pages' | 'People' | 'Actions'

export interface Option {
  /** Tells it from all others, also in the memory of recent ones. */
  key: string
  group: Group
  label: string
  /** Tells more, at the end of the row. */
  hint?: string
  icon: IconName
  /** Either it leads to a path of the dashboard, or it does something. */
  to?: string
  run?: () => void
}

/** Returns the words as they are compared: without case and accents. */
export function wordsIn(text: string): string[] {
  return plain(text)
    .split(/\s+/)
    .filter((word) => word !== '')
}

/** Whether each word stands in the label or in the hint. */
export function means({ label, hint = '' }: Pick<Option, 'label' | 'hint'>, words: readonly string[]): boolean {
  const text = plain(`${label} ${hint}`)
  return words.every((word) => text.includes(word))
}

function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
