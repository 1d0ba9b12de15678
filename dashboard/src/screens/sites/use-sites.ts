// All sites that the person sees. They are held in memory, so that searching needs no request.

import { api, type Site, type Slice } from '../../api/client.js'
import { readAll } from '../../api/use-list.js'
import { type Loaded, useLoaded } from '../../api/use-loaded.js'

/** Sites held in memory: about 12 MB of JSON. */
const MAX_HELD_SITES = 20_000

const SLICE = 1000

type Answer = ReturnType<typeof ask>

let ahead: Answer | undefined

/** Asks for the first sites now: the screen takes this answer when it is shown. Saves a round trip at the start. */
export function askForSites(): void {
  ahead = ask({}, null)
  // The screen says what went wrong.
  ahead.catch(() => undefined)
}

/** Loads every site, by slug. `nextCursor` is not null while more are coming. */
export function useSites(): Loaded<Slice<Site>> {
  return useLoaded('sites', (signal, show) =>
    readAll<Site>(async (cursor) => await readSlice(cursor, signal), { max: MAX_HELD_SITES, onSlice: show }),
  )
}

async function readSlice(cursor: { cursor?: string }, signal: AbortSignal): Promise<Awaited<Answer>> {
  const asked = cursor.cursor === undefined ? ahead : undefined
  ahead = undefined
  return await (asked ?? ask(cursor, signal))
}

async function ask(cursor: { cursor?: string }, signal: AbortSignal | null) {
  return await api.GET('/sites', { params: { query: { limit: SLICE, ...cursor } }, signal })
}
