// Work that a person begins by a click, a key or a submission, and that must not begin again while it is under way: a second click,
// or a key held down, would do it twice.

import { useRef } from 'preact/hooks'

/** Calls that come while the work is under way are dropped. */
export function useOneAtATime<A extends unknown[]>(work: (...args: A) => Promise<void>): (...args: A) => Promise<void> {
  const isRunning = useRef(false)
  return async (...args) => {
    if (isRunning.current) return
    isRunning.current = true
    try {
      await work(...args)
    } finally {
      isRunning.current = false
    }
  }
}
