// All sites that the person sees. They are held in memory, so that searching needs no request.

import { askAhead, takeAhead } from '../../api/ahead.js'
import { api, type Site, type Slice } from '../../api/client.js'
import { readAll } from '../../api/use-list.js'
import { type Loaded, useLoaded } from '../../api/use-loaded.js'

/** Sites held in memory: about 12 MB of JSON. */
const MAX_HELD_SITES = 20_000

const SLICE = 1000

const FIRST = 'first sites'

/** Asks for the first sites before the screen is there. */
export function askForSites(): void {
  askAhead(FIRST, () => ask({}, null))
}

/** Loads every site, by slug. `nextCursor` is not null while more are coming. */
export function useSites(): Loaded<Slice<Site>> {
  return useLoaded('sites', (signal, show) =>
    readAll<Site>(async (cursor) => await readSlice(cursor, signal), { max: MAX_HELD_SITES, onSlice: show }),
  )
}

async function readSlice(cursor: { cursor?: string }, signal: AbortSignal): ReturnType<typeof ask> {
  const read = () => ask(cursor, signal)
  return await (cursor.cursor === undefined ? takeAhead(FIRST, read) : read())
}

async function ask(cursor: { cursor?: string }, signal: AbortSignal | null) {
  return await api.GET('/sites', { params: { query: { limit: SLICE, ...cursor } }, signal })
}
