// Tells which rows of a long list are near the window: the document holds only those.

import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

interface Window {
  first: number
  count: number
}

/** Rows rendered above and below the visible ones. */
const MARGIN_ROWS = 12

/** `height` are the pixels of each row of `body`. A list that `isHeldWhole` is not measured. */
export function useWindow(
  body: RefObject<HTMLElement | null>,
  rows: number,
  { height, isHeldWhole = false }: { height: number; isHeldWhole?: boolean },
): Window {
  const [top, setTop] = useState(0)
  useEffect(() => {
    if (isHeldWhole) return undefined
    // Measures once per frame, however many scroll events arrive.
    let frame = 0
    const measure = () => {
      frame = 0
      const above = -(body.current?.getBoundingClientRect().top ?? 0)
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
  }, [height, isHeldWhole])
  if (isHeldWhole) return { first: 0, count: rows }
  const count = Math.ceil(innerHeight / height) + 2 * MARGIN_ROWS
  return { first: Math.min(top, Math.max(0, rows - count)), count }
}
