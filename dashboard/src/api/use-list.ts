// Loads a list of the API in slices: the first slice at once, which may be asked for ahead, and each further one on request.

import { useRef } from 'preact/hooks'
import { takeAhead } from './ahead.js'
import { type Slice, sliceOf } from './client.js'
import { notifyFailure } from '../parts/overlays/notices.js'
import { type Loaded, useLoaded } from './use-loaded.js'

export interface LoadedList<T> extends Loaded<Slice<T>> {
  /** Loads the next slice and appends it. */
  more: () => void
}

/** Requests the slice after `cursor`, or the first one. */
type ReadSlice<T> = (
  cursor: { cursor?: string },
  signal: AbortSignal | null,
) => Promise<Parameters<typeof sliceOf<T>>[0]>

export function useList<T>(key: string, read: ReadSlice<T>): LoadedList<T> {
  const list = useLoaded<Slice<T>>(key, (signal) => takeAhead(key, async () => sliceOf(await read({}, signal))))
  const { data, put } = list
  const isReading = useRef(false)
  const more = async () => {
    if (data?.nextCursor == null || isReading.current) return
    isReading.current = true
    try {
      const { entries, nextCursor } = sliceOf(await read({ cursor: data.nextCursor }, null))
      put({ entries: [...data.entries, ...entries], nextCursor })
    } catch (error) {
      notifyFailure(error)
    } finally {
      isReading.current = false
    }
  }
  return { ...list, more: () => void more() }
}

/** Reads every entry, up to `max`. Calls `onSlice` with the entries read so far. */
export async function readAll<T>(
  read: (cursor: { cursor?: string }) => ReturnType<ReadSlice<T>>,
  { max, onSlice }: { max: number; onSlice: (list: Slice<T>) => void },
): Promise<Slice<T>> {
  let all: Slice<T> = { entries: [], nextCursor: null }
  do {
    // Each slice begins where the one before it ended.
    // oxlint-disable-next-line no-await-in-loop
    const slice = sliceOf(await read(all.nextCursor === null ? {} : { cursor: all.nextCursor }))
    all = { entries: [...all.entries, ...slice.entries], nextCursor: slice.nextCursor }
    onSlice(all)
  } while (all.nextCursor !== null && all.entries.length < max)
  return all
}
