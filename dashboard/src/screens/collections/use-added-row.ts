// Moves the focus into a row that a person added: it is what the person writes next.

import { type RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface AddedRow {
  /** Takes the list whose children are the rows. */
  list: RefObject<HTMLOListElement | null>
  /** Tells the place of a row that comes with the next change of their number. */
  adds: (at: number) => void
}

export function useAddedRow(count: number): AddedRow {
  const list = useRef<HTMLOListElement>(null)
  const added = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (added.current === undefined) return
    const row = list.current?.children[added.current]
    added.current = undefined
    row?.querySelector<HTMLElement>('input, select, textarea, button')?.focus()
  }, [count])
  return { list, adds: (at) => (added.current = at) }
}
