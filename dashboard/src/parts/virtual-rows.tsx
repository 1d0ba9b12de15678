// A list of any length: the document holds only the visible rows and a few around them.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface VirtualRowsProps<T> {
  label: string
  rows: readonly T[]
  keyOf: (row: T) => string
  /** Pixels of each row. */
  height: number
  children: (row: T) => ComponentChildren
}

/** Rows rendered above and below the visible ones. */
const MARGIN_ROWS = 12

export function VirtualRows<T>({ label, rows, keyOf, height, children }: VirtualRowsProps<T>) {
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  useEffect(() => {
    // Measures once per frame, however many scroll events arrive.
    let frame = 0
    const measure = () => {
      frame = 0
      const above = -(list.current?.getBoundingClientRect().top ?? 0)
      setTop(Math.max(0, Math.floor(above / height) - MARGIN_ROWS))
    }
    const schedule = () => {
      frame ||= requestAnimationFrame(measure)
    }
    addEventListener('scroll', schedule, { passive: true })
    addEventListener('resize', schedule)
    measure()
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', schedule)
      removeEventListener('resize', schedule)
    }
  }, [height])
  const count = Math.ceil(innerHeight / height) + 2 * MARGIN_ROWS
  const first = Math.min(top, Math.max(0, rows.length - count))
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
