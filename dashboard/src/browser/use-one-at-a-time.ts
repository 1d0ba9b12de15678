// Runs work that a person starts, but not twice at the same time: a second click, or a key held down, would otherwise repeat it.

import { useRef } from 'preact/hooks'

/** Drops calls while the work is running. */
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
