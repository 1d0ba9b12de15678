// A list of any length: the document holds only the visible rows and a few around them.

import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { useWindow } from './use-window.js'

interface VirtualRowsProps<T> {
  label: string
  rows: readonly T[]
  keyOf: (row: T) => string
  /** Pixels of each row. */
  height: number
  children: (row: T) => ComponentChildren
}

export function VirtualRows<T>({ label, rows, keyOf, height, children }: VirtualRowsProps<T>) {
  const list = useRef<HTMLUListElement>(null)
  const { first, count } = useWindow(list, rows.length, { height })
  return (
    <ul ref={list} class="rows" aria-label={label} style={{ height: `${rows.length * height}px` }}>
      {rows.slice(first, first + count).map((row, at) => (
        <li
          key={keyOf(row)}
          aria-setsize={rows.length}
          aria-posinset={first + at + 1}
          style={{ transform: `translateY(${(first + at) * height}px)`, height: `${height}px` }}
        >
          {children(row)}
        </li>
      ))}
    </ul>
  )
}
