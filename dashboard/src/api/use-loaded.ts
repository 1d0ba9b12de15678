// Loads data for a screen when its key changes, and gives up when the screen is left. Loads it again when a lost connection is back.

import { useCallback, useEffect, useState } from 'preact/hooks'
import { Unreachable, whenBack } from './connection.js'

export interface Loaded<T> {
  /** The data loaded for this key; undefined until it arrives. A lost connection leaves it. */
  data: T | undefined
  error: Error | undefined
  reload: () => void
  /** Replaces the loaded data, for instance by the answer to a change. */
  put: (data: T) => void
}

interface State<T> {
  key: string
  data?: T
  error?: Error
}

/** `load` may call `show` with a part of the data before all of it has arrived. */
export function useLoaded<T>(
  key: string,
  load: (signal: AbortSignal, show: (data: T) => void) => Promise<T>,
): Loaded<T> {
  const [state, setState] = useState<State<T>>({ key })
  const [round, setRound] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    const settle = (part: { data?: T; error?: Error }) => {
      if (controller.signal.aborted) return
      const isLost = part.error instanceof Unreachable
      setState((before) => (isLost && before.key === key ? { ...before, ...part } : { key, ...part }))
    }
    load(controller.signal, (data) => settle({ data })).then(
      (data) => settle({ data }),
      (error: unknown) => settle({ error: asError(error) }),
    )
    return () => controller.abort()
  }, [key, round])
  const isCurrent = state.key === key
  const isLost = isCurrent && state.error instanceof Unreachable
  useEffect(() => (isLost ? whenBack(() => setRound((before) => before + 1)) : undefined), [isLost])
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent && !(isLost && state.data !== undefined) ? state.error : undefined,
    reload: useCallback(() => setRound((before) => before + 1), []),
    // An answer for a key that is no longer shown is dropped.
    put: useCallback((data: T) => setState((before) => (before.key === key ? { key, data } : before)), [key]),
  }
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
