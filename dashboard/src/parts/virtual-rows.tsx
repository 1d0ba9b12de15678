// A list of any length of which only the rows in sight, and a few around them, are in the document.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface VirtualRowsProps<T> {
  label: string
  rows: readonly T[]
  keyOf: (row: T) => string
  /** Pixels; every row is as high. */
  height: number
  children: (row: T) => ComponentChildren
}

/** Rows above and below those in sight. */
const MARGIN = 12

export function VirtualRows<T>({ label, rows, keyOf, height, children }: VirtualRowsProps<T>) {
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  useEffect(() => {
    // One look a frame, however many scroll events come.
    let frame = 0
    const look = () => {
      frame = 0
      const above = -(list.current?.getBoundingClientRect().top ?? 0)
      setTop(Math.max(0, Math.floor(above / height) - MARGIN))
    }
    const later = () => {
      frame ||= requestAnimationFrame(look)
    }
    addEventListener('scroll', later, { passive: true })
    addEventListener('resize', later)
    look()
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', later)
      removeEventListener('resize', later)
    }
  }, [height])
  const count = Math.ceil(innerHeight / height) + 2 * MARGIN
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
