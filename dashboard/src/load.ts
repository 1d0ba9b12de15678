// Data that a screen shows: loaded when its key changes, dropped when the screen is left.

import { useCallback, useEffect, useState } from 'preact/hooks'
import { ApiError } from './api.js'

export interface Loaded<T> {
  /** What arrived last for this key; undefined until then. */
  data: T | undefined
  error: ApiError | undefined
  reload: () => void
  /** Shows this in place of what was loaded, as after a change that answered with it. */
  put: (data: T) => void
}

/** `load` may show parts early with `show`. */
export function useLoaded<T>(
  key: string,
  load: (signal: AbortSignal, show: (data: T) => void) => Promise<T>,
): Loaded<T> {
  const [state, setState] = useState<{ key: string; data?: T; error?: ApiError }>({ key })
  const [round, setRound] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    const settle = (part: { data?: T; error?: ApiError }) => {
      if (!controller.signal.aborted) setState({ key, ...part })
    }
    load(controller.signal, (data) => settle({ data })).then(
      (data) => settle({ data }),
      (error: unknown) => settle({ error: asApiError(error) }),
    )
    return () => controller.abort()
  }, [key, round])
  const isCurrent = state.key === key
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? state.error : undefined,
    reload: useCallback(() => setRound((before) => before + 1), []),
    put: useCallback((data: T) => setState({ key, data }), [key]),
  }
}

export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError(0, 'internal', error instanceof Error ? error.message : String(error))
}
