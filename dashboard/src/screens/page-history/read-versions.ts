// Reads the versions of a page, and the two that an address compares. They may be asked for before the site is known.

import { askAhead, takeAhead } from '../../api/ahead.js'
import { api, dataOf, type Page, type Site, siteApi, sliceOf, type Version } from '../../api/client.js'
import { askForMarks } from '../../parts/seen/load-marks.js'

type Client = typeof api

/** Two numbers of versions. `from` is 0 for the time before the first version, when there was no page. */
export interface Compared {
  from: number
  to: number
}

export type Pair = [before: Version | undefined, after: Version]

/** Returns what the query of an address compares. */
export function comparedBy(query: URLSearchParams): Compared | undefined {
  const [from, to] = [Number(query.get('from')), Number(query.get('to'))]
  const isPair = query.has('from') && to > 0 && from !== to
  return isPair ? { from: Math.min(from, to), to: Math.max(from, to) } : undefined
}

export function askForVersions(pageId: string, compared: Compared | undefined): void {
  askAhead(listKey(pageId), async () => sliceOf<Version>(await readVersions(api, pageId, {}, null)))
  if (compared === undefined) return
  askAhead(pairKey(pageId, compared), async () => await readPair(api, pageId, compared, null))
  askForMarks()
}

export async function openPair(site: Site, { id }: Page, compared: Compared, signal: AbortSignal): Promise<Pair> {
  return await takeAhead(pairKey(id, compared), async () => await readPair(siteApi(site), id, compared, signal))
}

export function listKey(pageId: string): string {
  return `versions ${pageId}`
}

export function readVersions(client: Client, id: string, cursor: { cursor?: string }, signal: AbortSignal | null) {
  return client.GET('/pages/{id}/versions', { params: { path: { id }, query: { limit: 100, ...cursor } }, signal })
}

async function readPair(client: Client, id: string, { from, to }: Compared, signal: AbortSignal | null): Promise<Pair> {
  const read = async (number: number) =>
    dataOf(
      await client.GET('/pages/{id}/versions/{version}', { params: { path: { id, version: String(number) } }, signal }),
    )
  return await Promise.all([from === 0 ? undefined : read(from), read(to)])
}

function pairKey(pageId: string, { from, to }: Compared): string {
  return `compare ${pageId} ${from} ${to}`
}
